//! Events, entities and faults of the XML reader.

use super::*;

/// The events of `text` as one line; `(a` opens, `)` closes.
fn events(text: &str) -> Result<String, TextError> {
    let mut xml = Xml::new(text.as_bytes())?;
    let mut line = String::new();
    while let Some(event) = xml.next()? {
        match event {
            Event::Start(element) => {
                line.push_str(&format!("({}", element.name));
                for attribute in &element.attributes {
                    line.push_str(&format!(" {}={}", attribute.name, attribute.value));
                }
            }
            Event::Text(text) => line.push_str(&format!("[{text}]")),
            Event::End => line.push(')'),
        }
    }
    Ok(line)
}

#[test]
fn elements_attributes_and_text_are_read() {
    let cases = [
        ("<a/>", "(a)"),
        (
            "\u{feff}<?xml version='1.0'?>\n<!-- - --><a ></a >\n",
            "(a)",
        ),
        ("<a x=\"1\" y='2\"'><b/>t</a>", "(a x=1 y=2\"(b)[t])"),
        (
            "<a x='&lt;&#65;&#x42;&amp;'>&quot;&apos;&gt;</a>",
            "(a x=<AB&[\"'>])",
        ),
        ("<a>b<!-- c -->d</a>", "(a[b][d])"),
        ("<a>\u{e9}</a>", "(a[\u{e9}])"),
    ];
    for (text, expected) in cases {
        assert_eq!(events(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn faults_name_line_column_and_what_was_expected() {
    let cases = [
        (
            "",
            "line 1, column 1: expected the end of every element, found the end of the file",
        ),
        (
            "<a>\n <b>",
            "line 2, column 5: expected the end of every element",
        ),
        (
            "<a>\n</b>",
            "line 2, column 1: expected the end of the element that is open",
        ),
        (
            "x<a/>",
            "line 1, column 1: expected an element, found `x<a/>`",
        ),
        ("<a/><b/>", "line 1, column 5: expected the end of the file"),
        ("<a b=1/>", "line 1, column 6: expected \", found `1/>`"),
        (
            "<a b='1'c='2'/>",
            "line 1, column 9: expected `>`, or one of at most 64",
        ),
        (
            "<a b='1' b='2'/>",
            "line 1, column 10: expected every attribute once",
        ),
        ("<a b='<'/>", "line 1, column 7: expected a quote"),
        (
            "<a b='",
            "line 1, column 7: expected a quote, found the end of the file",
        ),
        ("<a>\n&lots;</a>", "line 2, column 1: expected an entity"),
        ("<a>&#xd800;</a>", "expected an entity"),
        ("<a>&amp</a>", "expected an entity"),
        (
            "<!DOCTYPE a><a/>",
            "line 1, column 1: expected an element or text, not a decl",
        ),
        (
            "<a><![CDATA[x]]></a>",
            "line 1, column 4: expected an element or text",
        ),
        ("<a><!-- </a>", "line 1, column 13: expected -->"),
        ("< a/>", "line 1, column 2: expected a name"),
    ];
    for (text, expected) in cases {
        let error = events(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let error = Xml::new(b"<a>\n\xff</a>").unwrap_err().to_string();
    assert_eq!(error, "line 2, column 1: expected UTF-8, found `\\xff`");
}

#[test]
fn depth_and_attributes_are_limited() {
    let nested = |depth| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
    assert!(events(&nested(MAX_DEPTH)).is_ok());
    let error = events(&nested(MAX_DEPTH + 1)).unwrap_err().to_string();
    assert!(error.contains("at most 64 open elements"), "{error}");
    let wide = |n_attributes| {
        let attributes: String = (0..n_attributes).map(|at| format!(" a{at}=''")).collect();
        format!("<a{attributes}/>")
    };
    assert!(events(&wide(MAX_ATTRIBUTES)).is_ok());
    assert!(events(&wide(MAX_ATTRIBUTES + 1)).is_err());
}

#[test]
fn an_element_is_skipped_with_all_its_children() {
    let mut xml = Xml::new(b"<a><b><b/>t<c><b/></c></b><d/></a>").unwrap();
    let names = ["a", "b"].map(|_| xml.child().unwrap().unwrap().name);
    assert_eq!(names, ["a", "b"]);
    xml.skip_element().unwrap();
    assert_eq!(xml.child().unwrap().unwrap().name, "d");
    xml.skip_element().unwrap();
    assert!(xml.child().unwrap().is_none());
    assert!(xml.next().unwrap().is_none());
}
