//! TLS for connections, as libpq's `sslmode` and `sslrootcert` ask for it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use postgres::Config;
use postgres::config::{Host, SslMode};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use tokio_postgres_rustls::MakeRustlsConnect;
use x509_cert::Certificate;
use x509_cert::der::Decode;

use crate::archive::ArchiveError;
use crate::archive::place::Server;

/// What is asked of a server's certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    /// Nothing: what is sent cannot be read on the way, but who receives it is not known.
    Nothing,
    /// Somebody who is trusted has signed it.
    Signed,
    /// And it is for the host that the address names.
    Named,
}

/// Sets how `config` uses TLS, and gives what does it.
pub fn connector(server: &Server, config: &mut Config) -> Result<MakeRustlsConnect, ArchiveError> {
    let bad = |why: &str| ArchiveError::Address(why.to_string());
    let roots = server.get("sslrootcert");
    let usual = if roots == Some("system") { "verify-full" } else { "prefer" };
    let mode = server.get("sslmode").unwrap_or(usual);
    let (asked, check) = match mode {
        "disable" => (SslMode::Disable, Check::Nothing),
        "prefer" => (SslMode::Prefer, Check::Nothing),
        // As in libpq: where there is something to check against, it is checked.
        "require" if trusted(server).is_some() => (SslMode::Require, Check::Signed),
        "require" => (SslMode::Require, Check::Nothing),
        "verify-ca" => (SslMode::Require, Check::Signed),
        "verify-full" => (SslMode::Require, Check::Named),
        _ => {
            return Err(bad("its `sslmode` is none of disable, prefer, require, verify-ca and \
                            verify-full"));
        }
    };
    if roots == Some("system") && mode != "verify-full" {
        return Err(bad("`sslrootcert=system` needs `sslmode=verify-full`"));
    }
    // Nobody is between the two ends of a socket in the file system.
    let local = config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
    config.ssl_mode(if local { SslMode::Disable } else { asked });
    let roots = if check == Check::Nothing { Vec::new() } else { certificates(server)? };
    let provider = Arc::new(ring::default_provider());
    let verifier = Verifier::new(check, roots, Arc::clone(&provider));
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| bad(&error.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// The file of certificates that are trusted: the one that is named, else libpq's if it is there.
fn trusted(server: &Server) -> Option<PathBuf> {
    if let Some(named) = server.get("sslrootcert").filter(|name| !name.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let usual = PathBuf::from(std::env::var_os("HOME")?).join(".postgresql/root.crt");
    usual.exists().then_some(usual)
}

fn certificates(server: &Server) -> Result<Vec<CertificateDer<'static>>, ArchiveError> {
    if server.get("sslrootcert") == Some("system") {
        let found = rustls_native_certs::load_native_certs();
        if found.certs.is_empty() {
            let why = "this system has no certificates that it trusts".to_string();
            return Err(ArchiveError::Certificates { place: "system".to_string(), why });
        }
        return Ok(found.certs);
    }
    let Some(path) = trusted(server) else {
        let why = "a certificate can only be checked against one that `sslrootcert` names";
        return Err(ArchiveError::Address(why.to_string()));
    };
    let told = |why: String| ArchiveError::Certificates { place: path.display().to_string(), why };
    let read = CertificateDer::pem_file_iter(&path).and_then(Iterator::collect);
    let certificates: Vec<CertificateDer> = read.map_err(|error| told(error.to_string()))?;
    if certificates.is_empty() {
        return Err(told("there is no certificate in it".to_string()));
    }
    Ok(certificates)
}

/// Checks what a server shows.
#[derive(Debug)]
struct Verifier {
    check: Check,
    roots: RootCertStore,
    /// As they are: a server may show one of these itself.
    trusted: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
}

impl Verifier {
    fn new(
        check: Check,
        trusted: Vec<CertificateDer<'static>>,
        provider: Arc<CryptoProvider>,
    ) -> Verifier {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(trusted.iter().cloned());
        Verifier { check, roots, trusted, provider }
    }
}

/// Whether a certificate that signs itself is in its time.
fn in_time(certificate: &CertificateDer, now: UnixTime) -> Result<(), Error> {
    let read = Certificate::from_der(certificate);
    let validity = read.map_err(|_| CertificateError::BadEncoding)?.tbs_certificate.validity;
    let now = Duration::from_secs(now.as_secs());
    if now < validity.not_before.to_unix_duration() {
        return Err(CertificateError::NotValidYet.into());
    }
    if now > validity.not_after.to_unix_duration() {
        return Err(CertificateError::Expired.into());
    }
    Ok(())
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.check == Check::Nothing {
            return Ok(ServerCertVerified::assertion());
        }
        let parsed = ParsedCertificate::try_from(shown)?;
        // Usual for a server of one's own: its certificate is nobody else's, and is trusted itself.
        if self.trusted.iter().any(|trusted| trusted == shown) {
            in_time(shown, now)?;
        } else {
            let schemes = self.provider.signature_verification_algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&parsed, &self.roots, between, now, schemes)?;
        }
        if self.check == Check::Named {
            verify_server_name(&parsed, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let schemes = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, schemes)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let schemes = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, schemes)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
