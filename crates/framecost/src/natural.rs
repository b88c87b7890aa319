//! Texts in the order that people give them. In: two texts. Out: which stands first.

use std::cmp::Ordering;

/// Texts in the order of the numbers in them: 2 further runs before 10.
pub(crate) fn by_numbers(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| -> Vec<(String, Option<u64>)> {
        let parts = text.split_inclusive(|c: char| !c.is_ascii_digit());
        parts
            .map(|part| {
                let digits = part.trim_end_matches(|c: char| !c.is_ascii_digit());
                (part[digits.len()..].to_owned(), digits.parse().ok())
            })
            .collect()
    };
    let numbers = |(text, number): (String, Option<u64>)| (number, text);
    let of = |text: &str| parts(text).into_iter().map(numbers).collect::<Vec<_>>();
    of(a).cmp(&of(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::by_numbers;

    /// #9 of the newcomer: bullets went 1, 10, 2, 26.
    #[test]
    fn reasons_stand_in_the_order_of_their_numbers() {
        let mut texts = [
            "about 1 run",
            "about 10 runs",
            "about 2 runs",
            "about 26 runs",
            "about",
            "a 99999999999999999999 x",
        ];
        texts.sort_by(|a, b| by_numbers(a, b));
        assert_eq!(
            texts,
            [
                "a 99999999999999999999 x",
                "about",
                "about 1 run",
                "about 2 runs",
                "about 10 runs",
                "about 26 runs"
            ]
        );
    }
}
