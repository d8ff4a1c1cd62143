//! The word somebody may have meant, apart because every list of known words is asked the same way.

/// Longer words are cut: comparing costs the product of both lengths, and no known word is longer.
const COMPARED_MAX: usize = 64;

/// The known name that is nearest to another, if any is near.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let name: String = name.chars().take(COMPARED_MAX).collect::<String>().to_lowercase();
    let distance = |it: &str| strsim::osa_distance(&name, &it.to_lowercase());
    let near = known.into_iter().map(|it| (distance(it), it)).min();
    // A name that has no letter in common with the other is not near, however short both are.
    let is_near = |distance: usize, near: &str| distance <= near.len().max(3) / 3 && distance < near.len();
    near.filter(|(distance, near)| is_near(*distance, near)).map(|(_, near)| near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near() {
        let known = ["title", "version", "id"];
        assert_eq!(nearest("tilte", known), Some("title"));
        assert_eq!(nearest("VERSON", known), Some("version"));
        assert_eq!(nearest("status", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("3", ["1", "2"]), None);
        assert_eq!(nearest("d-4", ["d-3"]), Some("d-3"));
        assert_eq!(nearest(&"é".repeat(1_000_000), known), None);
    }
}
