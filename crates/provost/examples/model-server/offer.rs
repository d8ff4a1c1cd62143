//! The tools that an agent offers to its model, and which of them does what a script wants: every agent has its own
//! names for writing a file and for a shell.

use serde_json::{Map, Value, json};

/// A tool on offer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tool {
    pub(crate) name: String,
    /// The group that it is in, where calls have to name it.
    pub(crate) group: Option<String>,
    /// The JSON Schema of its input.
    pub(crate) input: Value,
}

impl Tool {
    pub(crate) fn new(name: &str, input: Value) -> Tool {
        Tool { name: name.to_owned(), group: None, input }
    }

    fn takes(&self, key: &str) -> bool {
        self.input.get("properties").is_some_and(|properties| properties.get(key).is_some())
    }

    /// Whether a key takes a list of words.
    fn takes_list(&self, key: &str) -> bool {
        let kind = self.input.get("properties").and_then(|it| it.get(key)).and_then(|it| it.get("type"));
        kind.and_then(Value::as_str) == Some("array")
    }
}

/// The tool that brings in others which were named and not offered.
const SEARCH: &str = "ToolSearch";

/// The tool that calls others which were named and not offered.
const THROUGH: &str = "tool_call";

/// What agents put before the name of a tool that is called through another.
const SERVER: &str = "mcp__provost__";

/// How the prompts begin of an agent that has no tools: its model writes files into its answer.
const TEXTUAL: [&str; 2] = ["Act as an expert software developer", "Act as an expert code analyst"];

/// Whether a text is the prompt of an agent that has no tools and is asked for work, not for a title.
pub(crate) fn is_textual(told: &str) -> bool {
    TEXTUAL.iter().any(|begin| told.starts_with(begin))
}

/// A file within an answer.
pub(crate) fn listing(path: &str, text: &str) -> String {
    format!("{path}\n```\n{text}```\n\n")
}

/// Whether a call only brings in other tools, and is no step.
pub(crate) fn is_search(name: &str) -> bool {
    name == SEARCH
}

/// A tool and its input, or why there is none.
type Found = Result<(Tool, Value), String>;

const WRITING: [&str; 2] = ["write", "write_file"];
const READING: [&str; 2] = ["read", "read_file"];
const SHELLS: [&str; 7] =
    ["bash", "exec_command", "shell_command", "run_shell_command", "shell", "local_shell", "container.exec"];

/// The call that writes a file.
pub(crate) fn writing(tools: &[Tool], folder: Option<&str>, path: &str, text: &str) -> Found {
    let Some(tool) = called(tools, &WRITING) else {
        let command =
            format!("mkdir -p \"$(dirname {0})\" && printf %s {1} > {0}", quoted(path), quoted(text));
        return shell(tools, &command);
    };
    let (key, path) = place(tool, folder, path);
    Ok((tool.clone(), json!({ (key): path, "content": text })))
}

/// The call that looks at a file.
pub(crate) fn reading(tools: &[Tool], folder: Option<&str>, path: &str) -> Found {
    let Some(tool) = called(tools, &READING) else {
        return shell(tools, &format!("cat {}", quoted(path)));
    };
    let (key, path) = place(tool, folder, path);
    Ok((tool.clone(), json!({ (key): path })))
}

/// How a tool wants a path: the name of its field, and the path from the root, which some insist on.
fn place(tool: &Tool, folder: Option<&str>, path: &str) -> (&'static str, String) {
    let key = ["file_path", "filePath", "absolute_path", "path"].into_iter().find(|key| tool.takes(key));
    let path = match folder {
        Some(folder) if !path.starts_with('/') => format!("{}/{path}", folder.trim_end_matches('/')),
        _ => path.to_owned(),
    };
    (key.unwrap_or("file_path"), path)
}

/// The call that runs a command.
pub(crate) fn shell(tools: &[Tool], command: &str) -> Found {
    let tool = called(tools, &SHELLS).ok_or("No tool on offer runs commands.")?;
    let key = if tool.takes("cmd") { "cmd" } else { "command" };
    let mut input = Map::new();
    let words = if tool.takes_list(key) { json!(["bash", "-lc", command]) } else { json!(command) };
    input.insert(key.to_owned(), words);
    if tool.takes("description") {
        input.insert("description".to_owned(), json!("a step of the script"));
    }
    Ok((tool.clone(), Value::Object(input)))
}

/// The call of a tool by the end of its name, whatever the agent puts before it.
pub(crate) fn named(tools: &[&Tool], name: &str, input: &Value) -> Found {
    let ends = |tool: &&Tool| {
        tool.name
            .strip_suffix(name)
            .is_some_and(|before| before.is_empty() || before.ends_with(['_', '.', '-']))
    };
    if let Some(tool) = tools.iter().copied().find(ends) {
        return Ok((tool.clone(), input.clone()));
    }
    if let Some(through) = tools.iter().copied().find(|tool| tool.name == THROUGH) {
        return Ok((through.clone(), json!({ "name": format!("{SERVER}{name}"), "arguments": input })));
    }
    let search = tools.iter().copied().find(|tool| is_search(&tool.name));
    let search = search.ok_or_else(|| format!("No tool on offer is called `{name}`."))?;
    Ok((search.clone(), json!({ "query": name, "max_results": 5 })))
}

fn called<'a>(tools: &'a [Tool], names: &[&str]) -> Option<&'a Tool> {
    names.iter().find_map(|name| tools.iter().find(|tool| tool.name.to_lowercase() == *name))
}

/// A word that a shell takes as it is.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// What stands before the working folder in the texts that agents send along.
const BEFORE_FOLDER: [&str; 6] = [
    "<cwd>",
    "Primary working directory: ",
    "Working directory: ",
    "working directory: ",
    "working directory is: ",
    "working in the directory: ",
];

/// The folder that an agent says it works in, anywhere in the text of its request.
pub(crate) fn folder(text: &str) -> Option<String> {
    let begin = BEFORE_FOLDER.iter().find_map(|before| text.split_once(before))?.1;
    let end = begin.find(['\\', '"', '<', '`', '\n']).unwrap_or(begin.len());
    let folder = begin.split_at(end).0.trim().trim_end_matches('.');
    folder.starts_with('/').then(|| folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, keys: &[&str]) -> Tool {
        let properties: Map<String, Value> =
            keys.iter().map(|key| ((*key).to_owned(), json!({"type": "string"}))).collect();
        Tool::new(name, json!({ "properties": properties }))
    }

    fn said(found: Found) -> String {
        found.map_or_else(|why| why, |(tool, input)| format!("{} {input}", tool.name))
    }

    #[test]
    fn each_agents_own_tool_writes() {
        let writes = |tool: Tool| said(writing(&[tool], Some("/there"), "a/it's", "x\n"));
        assert_eq!(
            writes(tool("Write", &["file_path", "content"])),
            r#"Write {"content":"x\n","file_path":"/there/a/it's"}"#
        );
        assert_eq!(
            writes(tool("write", &["filePath"])),
            r#"write {"content":"x\n","filePath":"/there/a/it's"}"#
        );
        let by_shell = writes(tool("exec_command", &["cmd"]));
        assert_eq!(
            by_shell,
            r#"exec_command {"cmd":"mkdir -p \"$(dirname 'a/it'\\''s')\" && printf %s 'x\n' > 'a/it'\\''s'"}"#
        );
        assert_eq!(writes(tool("look", &[])), "No tool on offer runs commands.");
        let reads = |tool: Tool| said(reading(&[tool], Some("/there"), "a"));
        assert_eq!(reads(tool("read_file", &["absolute_path"])), r#"read_file {"absolute_path":"/there/a"}"#);
        assert_eq!(reads(tool("exec_command", &["cmd"])), r#"exec_command {"cmd":"cat 'a'"}"#);
    }

    #[test]
    fn a_shell_gets_words_or_a_line() {
        let list = Tool::new("shell", json!({"properties": {"command": {"type": "array"}}}));
        assert_eq!(said(shell(&[list], "ls")), r#"shell {"command":["bash","-lc","ls"]}"#);
        let described = tool("bash", &["command", "description"]);
        assert_eq!(
            said(shell(&[described], "ls")),
            r#"bash {"command":"ls","description":"a step of the script"}"#
        );
    }

    #[test]
    fn a_tool_is_found_by_the_end_of_its_name_or_searched_for() {
        let offered =
            [tool("unverdict", &[]), tool("mcp__provost__verdict", &[]), tool("provost_my_task", &[])];
        let tools: Vec<&Tool> = offered.iter().collect();
        assert_eq!(said(named(&tools, "verdict", &json!({}))), "mcp__provost__verdict {}");
        assert_eq!(said(named(&tools, "my_task", &json!({}))), "provost_my_task {}");
        assert_eq!(said(named(&tools, "absent", &json!({}))), "No tool on offer is called `absent`.");
        assert_eq!(
            said(named(&[&tool(SEARCH, &[])], "absent", &json!({}))),
            r#"ToolSearch {"max_results":5,"query":"absent"}"#
        );
        assert_eq!(
            said(named(&[&tool(THROUGH, &[])], "verdict", &json!({}))),
            r#"tool_call {"arguments":{},"name":"mcp__provost__verdict"}"#
        );
    }

    #[test]
    fn the_folder_is_found_where_agents_say_it() {
        assert_eq!(folder(r"x <cwd>/a/b</cwd>").as_deref(), Some("/a/b"));
        assert_eq!(folder(r"Working directory: /a/b c\n  Is").as_deref(), Some("/a/b c"));
        assert_eq!(folder("no folder"), None);
    }
}
