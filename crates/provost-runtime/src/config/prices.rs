//! What tokens cost, as the file says it: dollars for a million, spelled as a text so that nothing is rounded on the way.
//! Apart from spending, which says what may be paid and not what is.

use provost_core::delivery::Price;
use provost_core::diagnostic::quoted;
use serde_json::json;
use toml::de::DeTable;

use super::reading::{Reading, Value};

/// The most models that can have a price: all of them go onto the record of a delivery.
const MODELS_MAX: usize = 64;

/// The longest name of a model, in bytes.
const NAME_MAX: usize = 100;

/// The most dollars that a million tokens can cost.
const DOLLARS_MAX: u64 = 1_000_000;

/// How many digits a dollar has behind the point.
const DIGITS: usize = 6;

impl Reading<'_> {
    pub(super) fn prices(&mut self, table: &DeTable<'_>) {
        if table.len() > MODELS_MAX {
            let span = table.keys().nth(MODELS_MAX).map_or(0..0, toml::Spanned::span);
            self.wrong(format!("`prices` has more than {MODELS_MAX} models"), span);
            return;
        }
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            if name.trim().is_empty() || name.len() > NAME_MAX || name.chars().any(char::is_control) {
                self.wrong(format!("{} cannot be the name of a model", quoted(name)), key.span());
                continue;
            }
            let full = format!("prices.{name}");
            let Some(keys) = self.table(&full, value) else { continue };
            self.only(keys, &["input", "cached_input", "output"]);
            let input = self.price(&full, "input", keys, Some(value));
            let output = self.price(&full, "output", keys, Some(value));
            // Without a price of its own, what was read from a cache costs as much as what was not.
            let cached = self.price(&full, "cached_input", keys, None).or(input);
            if let (Some(input), Some(cached_input), Some(output)) = (input, cached, output) {
                self.config.spend.prices.insert(name.to_owned(), Price { input, cached_input, output });
            }
        }
    }

    /// A price, in millionths; one that has to be there is missed in `whole`.
    fn price(&mut self, full: &str, key: &str, keys: &DeTable<'_>, whole: Option<&Value<'_>>) -> Option<u64> {
        let name = format!("{full}.{key}");
        let Some(value) = keys.get(key) else {
            if let Some(whole) = whole {
                self.wrong(format!("`{name}` is missing, the price of a million tokens"), whole.span());
            }
            return None;
        };
        let price = value.get_ref().as_str().and_then(micro);
        if price.is_some() {
            let (origin, shown) = (self.origin(Some(value)), json!(value.get_ref().as_str()));
            self.show(name, shown, origin);
        } else {
            let wanted = format!(
                "dollars for a million tokens as a text, such as \"0.25\", at most {DOLLARS_MAX} with {DIGITS} digits behind the point"
            );
            self.wrong_kind(&name, &wanted, value);
        }
        price
    }
}

/// Millionths of what a text has in whole ones.
fn micro(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(part) || part.len() > DIGITS {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let part: u64 = format!("{part:0<DIGITS$}").parse().ok()?;
    let micro = whole.checked_mul(1_000_000)?.checked_add(part)?;
    (micro <= DOLLARS_MAX * 1_000_000).then_some(micro)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::parse;

    #[test]
    fn dollars_are_read_to_the_last_millionth() {
        for (text, price) in [
            ("3", Some(3_000_000)),
            ("0.25", Some(250_000)),
            ("0.000001", Some(1)),
            ("0", Some(0)),
            ("1000000", Some(1_000_000_000_000)),
            ("1000000.000001", None),
            ("99999999999999999999", None),
            ("0.0000001", None),
            ("-1", None),
            ("+1", None),
            ("1e3", None),
            ("1.", None),
            (".5", None),
            ("1.2.3", None),
            ("٣", None),
            ("", None),
            (" 1", None),
            ("NaN", None),
        ] {
            assert_eq!(micro(text), price, "{text}");
        }
    }

    #[test]
    fn a_table_is_read_and_what_is_odd_is_told() {
        let text = "[prices.\"gpt-5\"]\ninput = \"1.25\"\ncached_input = \"0.125\"\noutput = \"10\"\n[prices.codex]\ninput = \"2\"\noutput = \"4\"\n";
        let config = parse(text, "x").unwrap();
        let gpt = Price { input: 1_250_000, cached_input: 125_000, output: 10_000_000 };
        assert_eq!(config.spend.prices["gpt-5"], gpt);
        assert_eq!(config.spend.prices["codex"].cached_input, 2_000_000);
        let odd = |text: &str| parse(text, "x").unwrap_err().defects.remove(0).message;
        assert_eq!(
            odd("[prices.m]\ninput = \"1\"\n"),
            "`prices.m.output` is missing, the price of a million tokens"
        );
        assert!(odd("[prices.m]\ninput = 1.5\noutput = \"1\"\n").contains("as a text, such as \"0.25\""));
        assert_eq!(
            odd("[prices.m]\ninputs = \"1\"\ninput = \"1\"\noutput = \"1\"\n"),
            "there is no key `inputs`"
        );
        assert_eq!(odd("[prices.\"\"]\n"), "`` cannot be the name of a model");
        let many = (0..=MODELS_MAX).map(|n| format!("[prices.m{n}]\ninput = \"1\"\noutput = \"1\"\n"));
        let many = many.collect::<Vec<_>>().concat();
        assert_eq!(odd(&many), "`prices` has more than 64 models");
    }
}
