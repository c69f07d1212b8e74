//! Sentences that tell how an attempt was found: the search says it in a line of its own words.

/// What a line says, sentence by sentence; the line itself where some of it is not known here.
pub fn sentences(how: &str) -> Vec<String> {
    told(how).unwrap_or_else(|| vec![how.to_string()])
}

fn told(how: &str) -> Option<Vec<String>> {
    if how == "view" {
        let view = "The output is a view: a grid that the library makes of every input.";
        return Some(vec![view.to_string()]);
    }
    if let Some(rest) = how.strip_prefix("choice of ") {
        let first = "Each cell takes its colour from one of several enumerated grids.";
        return Some([vec![first.to_string()], told(rest)?].concat());
    }
    if let Some(rest) = how.strip_prefix("objects, then ") {
        let first = "A rule about objects makes a grid; a rule for cells goes on from there.";
        return Some([vec![first.to_string()], told(rest)?].concat());
    }
    let (rest, count) = how.rsplit_once(", ")?;
    let trust = trust(count)?;
    let mut sentences = match rest.split_once(' ')? {
        ("cells", rest) => vec![cells(rest)?],
        ("objects", rest) => objects(rest)?,
        ("enumeration", rest) => {
            let cost = rest.strip_prefix("cost ")?;
            vec![format!("An expression of cost {cost} gives the output of every demo.")]
        }
        ("assembly", rest) => {
            let (layers, cost) = rest.strip_prefix("of ")?.split_once(" layers, cost ")?;
            let layers = counted(layers, "layer")?;
            vec![format!("An output is {layers} over an enumerated grid, of cost {cost} together.")]
        }
        _ => return None,
    };
    sentences.push(trust);
    Some(sentences)
}

/// `view0 own+near Entropy 3 leaves`
fn cells(rest: &str) -> Option<String> {
    let words: Vec<&str> = rest.split(' ').collect();
    let [place, groups, _learner, leaves, "leaves"] = words[..] else { return None };
    let place = match place.strip_prefix("view") {
        Some("0") => "of the input".to_string(),
        Some(view) => format!("of view {view}, a grid made from the input"),
        None => {
            place.strip_prefix("frame")?;
            "of the input, with colours exchanged by the part that they play".to_string()
        }
    };
    let features = groups.split('+').collect::<Vec<_>>();
    let plural = if features.len() > 1 { "groups" } else { "group" };
    let (cases, features) = (counted(leaves, "case")?, listed(&features));
    Some(format!(
        "A rule of {cases} says what each cell {place} becomes, by features of the {plural} {features}."
    ))
}

/// `shapes4 erased: itself Color(0), 2 leaves; towards the smallest Own, 2 leaves`
fn objects(rest: &str) -> Option<Vec<String>> {
    let (rest, after) = match rest.strip_prefix("after another rule ") {
        Some(rest) => (rest, "After another rule"),
        None => (rest, ""),
    };
    let (kind, layers) = rest.split_once(": ")?;
    let (kind, erased) = match kind.strip_suffix(" erased") {
        Some(kind) => (kind, ", which are erased first"),
        None => (kind, ""),
    };
    let kind = items(kind)?;
    if let Some((part, leaves)) = layers.strip_suffix(" leaves")?.rsplit_once(" of one, ") {
        let cases = counted(leaves, "case")?;
        return Some(vec![format!(
            "The output is one of {kind}, chosen by a rule of {cases}: {part}."
        )]);
    }
    let first = if after.is_empty() { "Of".to_string() } else { format!("{after}, of") };
    let mut sentences = vec![format!("{first} {kind}{erased}, those that a rule chooses draw:")];
    for layer in layers.split("; ") {
        let (layer, leaves) = layer.strip_suffix(" leaves")?.rsplit_once(", ")?;
        let (layer, behind) = match layer.strip_suffix(" behind") {
            Some(layer) => (layer, ", where the background is"),
            None => (layer, ""),
        };
        let (name, ink) = layer.rsplit_once(' ')?;
        let ink = match ink {
            "Own" => "with their colours".to_string(),
            "Item" => "in their colour".to_string(),
            _ => match ink.strip_suffix(')')?.split_once('(')? {
                ("Color", color) => format!("in colour {color}"),
                ("Attribute", _) => "in a colour that a feature tells".to_string(),
                _ => return None,
            },
        };
        let cases = counted(leaves, "case")?;
        sentences.push(format!("- {name}, {ink}{behind} (a rule of {cases})"));
    }
    Some(sentences)
}

/// What items of a kind are.
fn items(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "shapes4" => "the objects of one colour",
        "shapes8" => "the objects of one colour, diagonals joined",
        "mixed4" => "the objects of any colours",
        "mixed" | "mixed8" => "the objects of any colours, diagonals joined",
        "colours" => "the sets of all cells of one colour",
        "gaps" | "gaps4" => "the gaps, objects of colour 0,",
        "panels" => "the panels of the grid",
        _ => return None,
    })
}

/// `2/3`: how often it was found again without a demo, and right on it.
fn trust(count: &str) -> Option<String> {
    let (right, demos) = count.split_once('/')?;
    let (right, demos): (usize, usize) = (right.parse().ok()?, demos.parse().ok()?);
    Some(format!("Learnt again with each demo left out, it was right on {right} of these {demos}."))
}

fn counted(count: &str, what: &str) -> Option<String> {
    let n: usize = count.parse().ok()?;
    Some(format!("{n} {what}{}", if n == 1 { "" } else { "s" }))
}

fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_string(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn every_kind_of_finding_is_told_in_sentences() {
        for (how, says) in [
            ("view", "The output is a view"),
            ("cells view0 own+views+place Entropy 1 leaves, 5/5", "groups own, views and place"),
            ("cells frame0 own Cover 8 leaves, 0/4", "colours exchanged"),
            ("cells view12 own Cover 8 leaves, 0/4", "view 12"),
            ("choice of cells view0 own+near Cover 8 leaves, 0/3", "enumerated grids"),
            ("objects, then cells view0 own+far Entropy 4 leaves, 2/3", "goes on from there"),
            (
                "objects shapes4 erased: itself Color(0), 2 leaves; one down Own behind, 1 leaves, 4/4",
                "- one down, with their colours, where the background is (a rule of 1 case)",
            ),
            ("objects after another rule mixed8: to its kin Item, 1 leaves, 1/3", "After another"),
            ("objects gaps4: frame Attribute(75), 1 leaves, 4/4", "a feature tells"),
            ("objects mixed8: part without repeats of one, 1 leaves, 3/3", "The output is one"),
            ("enumeration cost 10, 3/3", "An expression of cost 10"),
            ("assembly of 1 layers, cost 14, 3/3", "1 layer over"),
        ] {
            let told = sentences(how);
            assert!(told.iter().any(|sentence| sentence.contains(says)), "{how}: {told:?}");
            assert!(!told.iter().any(|sentence| sentence == how), "{how} is not told");
        }
    }

    #[test]
    fn what_is_not_known_is_told_as_it_is() {
        for how in ["by luck", "cells view0, 1/1", "objects : , 1/2", "", "enumeration cost 3"] {
            assert_eq!(sentences(how), [how]);
        }
    }
}
