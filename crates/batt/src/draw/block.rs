//! Blocks of text, and how they stand side by side.

/// Lines of text under a label, with their visible width.
#[derive(Clone, Debug, Default)]
pub struct Block {
    lines: Vec<(String, usize)>,
    width: usize,
}

impl Block {
    /// A block that starts with a label, which may have several lines.
    pub fn new(label: &str) -> Block {
        let mut block = Block::default();
        for line in label.lines() {
            block.push(line.to_string(), line.chars().count());
        }
        block
    }

    /// Adds a line whose visible width is known (escapes take no room).
    pub fn push(&mut self, line: String, width: usize) {
        self.width = self.width.max(width);
        self.lines.push((line, width));
    }

    /// Adds lines of plain text, broken at `columns`.
    pub fn text(&mut self, text: &str, columns: usize) {
        for line in text.lines() {
            let letters: Vec<char> = line.chars().collect();
            let mut rest = &letters[..];
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(break_at(rest, columns.max(8)));
                self.push(piece.iter().collect(), piece.len());
                rest = after;
            }
        }
    }
}

/// Where to break a line: after the last space that fits, or where the room ends.
fn break_at(letters: &[char], columns: usize) -> usize {
    if letters.len() <= columns {
        return letters.len();
    }
    letters[..columns].iter().rposition(|c| *c == ' ').map_or(columns, |at| at + 1)
}

/// The blocks side by side, in as many bands as the width asks for.
pub fn beside(blocks: &[Block], columns: usize) -> String {
    const GAP: usize = 3;
    let mut out = String::new();
    let mut start = 0;
    while start < blocks.len() {
        let mut end = start + 1;
        let mut used = blocks[start].width;
        while end < blocks.len() && used + GAP + blocks[end].width <= columns {
            used += GAP + blocks[end].width;
            end += 1;
        }
        band(&blocks[start..end], GAP, &mut out);
        start = end;
        if start < blocks.len() {
            out.push('\n');
        }
    }
    out
}

fn band(blocks: &[Block], gap: usize, out: &mut String) {
    let height = blocks.iter().map(|b| b.lines.len()).max().unwrap_or(0);
    for row in 0..height {
        let mut line = String::new();
        let mut owed = 0;
        for block in blocks {
            line.extend(std::iter::repeat_n(' ', owed));
            owed = gap + block.width;
            if let Some((text, width)) = block.lines.get(row) {
                line.push_str(text);
                owed -= width;
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(label: &str, lines: &[&str]) -> Block {
        let mut block = Block::new(label);
        for line in lines {
            block.text(line, 40);
        }
        block
    }

    #[test]
    fn blocks_stand_in_columns_and_wrap() {
        let blocks = [block("one", &["a", "b"]), block("two", &["c"]), block("three", &["d"])];
        assert_eq!(beside(&blocks, 80), "one   two   three\na     c     d\nb\n");
        assert_eq!(beside(&blocks, 10), "one   two\na     c\nb\n\nthree\nd\n");
        // A block that is wider than the terminal still gets a band.
        assert_eq!(beside(&blocks[2..], 1), "three\nd\n");
        assert_eq!(beside(&[], 80), "");
    }

    #[test]
    fn long_text_is_broken() {
        let mut block = Block::new("x");
        block.text("0123456789abc", 10);
        block.text("(1, 2), (3, 4)", 10);
        assert_eq!(beside(&[block], 80), "x\n0123456789\nabc\n(1, 2),\n(3, 4)\n");
    }
}
