//! The tasks that are part of the binary.

use super::Dataset;
use super::load::load_texts;

macro_rules! texts {
    ($($id:literal)*) => {
        &[$((
            concat!($id, ".json"),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tasks/", $id, ".json")),
        )),*]
    };
}

/// Every file of the folder `tasks/`; a test compares the two.
const TEXTS: &[(&str, &str)] = texts! {
    "add_frame"
    "agreeing_halves"
    "big_and_small"
    "boxes_to_frames"
    "bridge_pairs"
    "checkers"
    "count_objects"
    "crop_and_double"
    "dot_in_box"
    "drop_down"
    "find_tile"
    "flip_largest"
    "flood_outside"
    "four_corners"
    "kaleidoscope"
    "keep_tall"
    "left_not_right"
    "mark_centres"
    "mark_specks"
    "odd_one_out"
    "plus_lines"
    "rank_colours"
    "rarest_colour"
    "rays_up"
    "recolour_like_demos"
    "restore_symmetry"
    "second_from_left"
    "second_largest"
    "shrink_thirds"
    "sort_bars"
    "stick_to_wall"
    "swap_extremes"
    "tent"
    "turn_like_demos"
    "turned_below"
    "widen_by_colours"
    "zigzag_row"
};

/// Our own small tasks.
pub fn embedded() -> Dataset {
    load_texts("embedded", env!("CARGO_PKG_VERSION"), TEXTS)
        .expect("the embedded tasks are right; a test loads them")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_folder_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tasks");
        let set = embedded();
        assert_eq!(set.hash, crate::tasks::load(folder).unwrap().hash);
        assert!(set.tasks().len() >= 26);
    }

    #[test]
    fn every_task_has_three_demos_and_known_tests() {
        for task in embedded().tasks() {
            assert_eq!(task.demos.len(), 3, "{}", task.id);
            assert!(!task.tests.is_empty(), "{}", task.id);
            assert!(task.tests.iter().all(|t| t.output.is_some()), "{}", task.id);
        }
    }
}
