//! A proxy before a PostgreSQL server, on loopback, that cuts connections. What it does follows from a
//! seed and the number of the connection.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// When connections are cut.
#[derive(Clone, Copy, Debug)]
pub enum Cut {
    /// After some bytes in one direction, anywhere in a message.
    Anywhere { seed: u64 },
    /// Where the client sends the n-th COMMIT, and each n-th after that: before the server hears of it,
    /// or after it has done it and before the client hears of that.
    Commit { each: u64, heard: bool },
}

struct Shared {
    server: String,
    cut: Cut,
    connections: AtomicU64,
    commits: AtomicU64,
    cuts: AtomicU64,
    ended: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
}

/// A proxy; it and its connections end when it is dropped.
pub struct Proxy {
    pub port: u16,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Proxy {
    /// Stands before the server at this host and port.
    pub fn new(server: &str, cut: Cut) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            server: server.to_string(),
            cut,
            connections: AtomicU64::new(0),
            commits: AtomicU64::new(0),
            cuts: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            open: Mutex::new(Vec::new()),
        });
        let own = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            for client in listener.incoming() {
                if own.ended.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(client) = client else { continue };
                let Ok(server) = TcpStream::connect(&own.server) else { continue };
                carry(&own, client, server);
            }
        });
        Proxy { port, shared, thread: Some(thread) }
    }

    /// How many connections were cut so far.
    pub fn cuts(&self) -> u64 {
        self.shared.cuts.load(Ordering::SeqCst)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        for stream in self.shared.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        // The listener waits for one more.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What happens to one connection.
struct Fate {
    /// Bytes until the cut, from the client and from the server.
    left: [Option<usize>; 2],
    /// The server's next answer is the one that does not arrive.
    swallow: AtomicBool,
    ended: AtomicBool,
}

/// Scrambles a number, so that each follows from the seed and no two are alike.
fn scramble(n: u64) -> u64 {
    let mut x = n.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

fn carry(shared: &Arc<Shared>, client: TcpStream, server: TcpStream) {
    let number = shared.connections.fetch_add(1, Ordering::SeqCst);
    let mut left = [None, None];
    if let Cut::Anywhere { seed } = shared.cut {
        let random = scramble(seed.wrapping_mul(0x10001).wrapping_add(number));
        // As often a few bytes as many: within the greeting, and after several transactions.
        let size = 1 << (4 + random % 14);
        left[(random >> 8) as usize % 2] = Some((size + (random >> 16) % size) as usize);
    }
    let fate = Fate { left, swallow: AtomicBool::new(false), ended: AtomicBool::new(false) };
    let fate = Arc::new(fate);
    for stream in [&client, &server] {
        let _ = stream.set_nodelay(true);
        shared.open.lock().unwrap().extend(stream.try_clone());
    }
    let ends = [(client.try_clone(), server.try_clone()), (Ok(server), Ok(client))];
    for (side, ends) in ends.into_iter().enumerate() {
        let (Ok(from), Ok(to)) = ends else { return };
        let (shared, fate) = (Arc::clone(shared), Arc::clone(&fate));
        std::thread::spawn(move || pump(&shared, &fate, side, from, to));
    }
}

/// Carries what one side says to the other, until somebody has enough.
fn pump(shared: &Shared, fate: &Fate, side: usize, mut from: TcpStream, mut to: TcpStream) {
    let mut left = fate.left[side];
    let mut buffer = [0; 4096];
    let mut cut = false;
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let mut bytes = &buffer[..length];
        if side == 1 && fate.swallow.load(Ordering::SeqCst) {
            cut = true;
            break;
        }
        if let Cut::Commit { each, heard } = shared.cut
            && side == 0
            && bytes.windows(7).any(|window| window == b"COMMIT\0")
            && (shared.commits.fetch_add(1, Ordering::SeqCst) + 1).is_multiple_of(each)
        {
            if !heard {
                cut = true;
                break;
            }
            fate.swallow.store(true, Ordering::SeqCst);
        }
        if let Some(left) = &mut left {
            bytes = &bytes[..bytes.len().min(*left)];
            *left -= bytes.len();
            cut = *left == 0;
        }
        if to.write_all(bytes).is_err() || cut {
            break;
        }
    }
    if !fate.ended.swap(true, Ordering::SeqCst) && cut {
        shared.cuts.fetch_add(1, Ordering::SeqCst);
    }
    for stream in [from, to] {
        let _ = stream.shutdown(Shutdown::Both);
    }
}
