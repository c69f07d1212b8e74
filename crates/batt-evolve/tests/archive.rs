//! The archive on both databases: what is stored, what is refused, what stays.

mod common;

use batt_evolve::archive::{Archive, ArchiveError, Checkpoint, Stored};
use common::{FOUND, everywhere, generation, run, tests_of};

#[test]
fn a_generation_is_stored_once_and_resumed() {
    everywhere(|place| {
        let mut archive = place.open();
        let id = archive.begin(&run(1)).unwrap();
        assert_eq!(archive.resume(&id).unwrap(), None);
        let first = archive.commit(&generation(&id, 1, &FOUND[..9])).unwrap();
        assert_eq!(first.programs, 3);
        assert!(first.results >= 3, "{first:?}");
        let state = b"state".to_vec();
        assert_eq!(archive.resume(&id).unwrap(), Some(Checkpoint { generation: 1, state }));
        // Once more changes nothing, in the same process or in another.
        assert_eq!(archive.commit(&generation(&id, 1, &FOUND[..12])).unwrap(), Stored::default());
        let mut again = place.open();
        assert_eq!(again.begin(&run(1)).unwrap(), id);
        let second = again.commit(&generation(&id, 2, &FOUND[..12])).unwrap();
        assert_eq!(second.programs, 1);
        let error = again.commit(&generation(&id, 1, &[])).unwrap_err();
        assert!(matches!(error, ArchiveError::OutOfOrder { at: 2, number: 1, .. }), "{error}");
    });
}

#[test]
fn the_best_come_first_and_read_back() {
    everywhere(|place| {
        let mut archive = place.open();
        let id = archive.begin(&run(1)).unwrap();
        archive.commit(&generation(&id, 1, &FOUND)).unwrap();
        let mut solved = 0;
        for (task, demos) in archive.tasks().unwrap() {
            let best = archive.best(&task, 100).unwrap();
            let rank = |k: &batt_evolve::archive::Kept| {
                (std::cmp::Reverse((k.exact, k.score)), k.cost, k.program)
            };
            assert!(best.is_sorted_by_key(rank));
            assert!(best.iter().all(|kept| kept.score > 0));
            let kept = &best[0];
            let found = FOUND.iter().find(|f| f.program.hash() == kept.program && f.task == task);
            let found = found.unwrap();
            assert_eq!(kept.canonical().unwrap(), found.program);
            assert_eq!((&kept.samples[..], &demos), (found.judged.samples(), &found.demos));
            solved += usize::from(found.judged.solved());
        }
        // Every embedded task has a program that solves it.
        assert_eq!(solved, batt_run::tasks::embedded().tasks().len());
    });
}

#[test]
fn what_is_worth_nothing_is_left_out() {
    everywhere(|place| {
        let mut archive = place.open();
        let id = archive.begin(&run(1)).unwrap();
        let zero: Vec<_> = FOUND.iter().filter(|f| f.judged.score() == 0).cloned().collect();
        assert!(!zero.is_empty());
        assert_eq!(archive.commit(&generation(&id, 1, &zero)).unwrap(), Stored::default());
        assert!(archive.tasks().unwrap().is_empty());
    });
}

#[test]
fn another_task_of_the_same_name_is_refused_whole() {
    everywhere(|place| {
        let mut archive = place.open();
        let id = archive.begin(&run(1)).unwrap();
        archive.commit(&generation(&id, 1, &FOUND[..3])).unwrap();
        let mut other = FOUND[..9].to_vec();
        other[0].demos = "0".repeat(64);
        let error = archive.commit(&generation(&id, 2, &other)).unwrap_err();
        assert!(matches!(error, ArchiveError::OtherTask(_)), "{error}");
        assert_eq!(archive.resume(&id).unwrap().unwrap().generation, 1);
    });
}

#[test]
fn pruning_keeps_the_best_and_drops_what_nothing_needs() {
    everywhere(|place| {
        let mut archive = place.open();
        let id = archive.begin(&run(1)).unwrap();
        let tests = tests_of(&FOUND);
        let mut all = generation(&id, 1, &FOUND);
        all.tests = &tests;
        let stored = archive.commit(&all).unwrap();
        let best: Vec<_> =
            archive.tasks().unwrap().iter().map(|t| archive.best(&t.0, 1).unwrap()).collect();
        let pruned = archive.prune(1).unwrap();
        assert!(pruned > 0);
        assert_eq!(archive.prune(1).unwrap(), 0);
        let left: Vec<_> =
            archive.tasks().unwrap().iter().map(|t| archive.best(&t.0, 9).unwrap()).collect();
        assert_eq!(left, best);
        // Pruned as it is stored, the same is left.
        let other = common::Place::sqlite();
        let mut archive = other.open();
        let id = archive.begin(&run(1)).unwrap();
        let mut kept = generation(&id, 1, &FOUND);
        kept.keep = Some(1);
        let less = archive.commit(&kept).unwrap();
        assert_eq!(less.pruned, pruned);
        assert_eq!(less.results, stored.results - pruned);
        let left: Vec<_> =
            archive.tasks().unwrap().iter().map(|t| archive.best(&t.0, 9).unwrap()).collect();
        assert_eq!(left, best);
        // And so it is piece by piece, in another order.
        let other = common::Place::sqlite();
        let mut archive = other.open();
        let id = archive.begin(&run(1)).unwrap();
        for (number, piece) in (1..).zip(FOUND.rchunks(7)) {
            let mut kept = generation(&id, number, piece);
            kept.keep = Some(1);
            archive.commit(&kept).unwrap();
        }
        let left: Vec<_> =
            archive.tasks().unwrap().iter().map(|t| archive.best(&t.0, 9).unwrap()).collect();
        assert_eq!(left, best);
        assert_eq!(archive.check(None).unwrap().count, 0);
    });
}

#[test]
fn places_that_are_no_archive_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.db").display().to_string();
    assert!(matches!(Archive::open_existing(&path), Err(ArchiveError::Missing(_))));
    std::fs::write(
        &path,
        "this is a text of some length, and surely no database at all\n".repeat(99),
    )
    .unwrap();
    assert!(matches!(Archive::open(&path), Err(ArchiveError::Open { .. })));
    let other = folder.path().join("other.db").display().to_string();
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
    assert!(matches!(Archive::open(&other), Err(ArchiveError::Foreign)));
    let nowhere = "postgres://nobody:secret@127.0.0.1:1/none";
    let error = Archive::open(nowhere).unwrap_err().to_string();
    assert!(error.contains("nobody@127.0.0.1:1") && !error.contains("secret"), "{error}");
}
