//! Whether a value fits a schema.

use serde_json::Value;

/// What a schema has against a value: as much of JSON Schema as our schema uses (a whole validator takes longer to
/// build than everything else).
pub fn objection(root: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.trim_start_matches('#')).expect("references lead somewhere");
        return objection(root, target, value, at);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(options) = schema[choice].as_array()
            && options.iter().all(|o| objection(root, o, value, at).is_some())
        {
            return Some(format!("{at} fits none of {choice}"));
        }
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(t) => vec![t],
        Value::Array(ts) => ts.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |t: &&str| match *t {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    };
    if !types.is_empty() && !types.iter().any(is) {
        return Some(format!("{at} is no {types:?}"));
    }
    let fixed = schema.get("const").is_some_and(|c| c != value);
    if fixed || schema["enum"].as_array().is_some_and(|e| !e.contains(value)) {
        return Some(format!("{at} has another value"));
    }
    if let Some(fields) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                return Some(format!("{at} has no {name}"));
            }
        }
        for (name, field) in fields {
            let found = match schema["properties"].get(name) {
                Some(own) => objection(root, own, field, &format!("{at}.{name}")),
                None => match schema.get("additionalProperties") {
                    Some(Value::Bool(false)) => Some(format!("{at} must not have {name}")),
                    Some(other) if other.is_object() => {
                        objection(root, other, field, &format!("{at}.{name}"))
                    }
                    _ => None,
                },
            };
            if found.is_some() {
                return found;
            }
        }
    }
    let items = value.as_array().into_iter().flatten().enumerate();
    let of = schema.get("items")?;
    items.into_iter().find_map(|(i, item)| objection(root, of, item, &format!("{at}[{i}]")))
}
