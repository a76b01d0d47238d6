//! The XML form of maps (`.tmx`) and tilesets (`.tsx`), read into the document of the JSON form.

use std::borrow::Cow;

use super::document::{Data, Document, Layer, Property, Shape, Tile, Tileset, Value};
use crate::text::{Number, TextError, push};
use crate::tile_map::{PropertyValue, TileMapError};
use crate::xml::{Element, Event, Xml};

/// Reads a map.
pub(super) fn read_map(bytes: &[u8]) -> Result<Document<'_>, TileMapError> {
    let mut reader = Reader {
        xml: Xml::new(bytes)?,
    };
    let root = reader.root("map")?;
    let document = reader.map(&root)?;
    reader.end()?;
    Ok(document)
}

/// Reads an external tileset.
pub(super) fn read_tileset(bytes: &[u8]) -> Result<Tileset<'_>, TileMapError> {
    let mut reader = Reader {
        xml: Xml::new(bytes)?,
    };
    let root = reader.root("tileset")?;
    let tileset = reader.tileset(&root)?;
    reader.end()?;
    Ok(tileset)
}

struct Reader<'a> {
    xml: Xml<'a>,
}

impl<'a> Reader<'a> {
    fn root(&mut self, name: &'static str) -> Result<Element<'a>, TextError> {
        let expected = if name == "map" {
            "the element `map`"
        } else {
            "the element `tileset`"
        };
        match self.xml.child()? {
            Some(root) if root.name == name => Ok(root),
            Some(other) => Err(self.xml.unexpected(other.offset, expected)),
            None => Err(self.xml.unexpected(0, expected)),
        }
    }

    fn end(&mut self) -> Result<(), TextError> {
        // The reader refuses a second root.
        self.xml.next().map(drop)
    }

    fn required<N: Number>(&self, element: &Element<'a>, name: &str) -> Result<N, TextError> {
        let number = element.number(&self.xml, name)?;
        number.ok_or_else(|| {
            let expected = "attributes `width`, `height`, `tilewidth`, `tileheight`, `gid` or `id`";
            self.xml.unexpected(element.offset, expected)
        })
    }

    fn map(&mut self, element: &Element<'a>) -> Result<Document<'a>, TextError> {
        let mut map = Document {
            orientation: text(element, "orientation").unwrap_or_default(),
            infinite: element.attribute("infinite").is_some_and(|it| it != "0"),
            width: self.required(element, "width")?,
            height: self.required(element, "height")?,
            tilewidth: self.required(element, "tilewidth")?,
            tileheight: self.required(element, "tileheight")?,
            layers: Vec::new(),
            tilesets: Vec::new(),
            properties: Vec::new(),
        };
        while let Some(child) = self.xml.child()? {
            match child.name {
                "properties" => map.properties = self.properties()?,
                "tileset" => map.tilesets.push(self.tileset(&child)?),
                _ => map.layers.extend(self.layer(&child)?),
            }
        }
        Ok(map)
    }

    /// A layer or group; `None` for other elements.
    fn layer(&mut self, element: &Element<'a>) -> Result<Option<Layer<'a>>, TextError> {
        let kind = match element.name {
            "layer" => "tilelayer",
            "objectgroup" => "objectgroup",
            "group" => "group",
            _ => {
                self.xml.skip_element()?;
                return Ok(None);
            }
        };
        let mut layer = Layer {
            kind: Cow::Borrowed(kind),
            name: text(element, "name").unwrap_or_default(),
            class: text(element, "class"),
            width: element.number(&self.xml, "width")?,
            height: element.number(&self.xml, "height")?,
            data: None,
            encoding: None,
            compression: None,
            objects: Vec::new(),
            layers: Vec::new(),
            properties: Vec::new(),
            offset: Some(element.offset),
        };
        while let Some(child) = self.xml.child()? {
            match child.name {
                "properties" => layer.properties = self.properties()?,
                "data" if layer.data.is_some() => {
                    return Err(self.xml.unexpected(child.offset, "one `data` per layer"));
                }
                "data" => {
                    layer.encoding = text(&child, "encoding");
                    layer.compression = text(&child, "compression");
                    layer.data = Some(self.data(layer.encoding.is_some())?);
                }
                "object" => {
                    let shape = self.shape(&child)?;
                    layer.objects.push(shape);
                }
                _ => layer.layers.extend(self.layer(&child)?),
            }
        }
        Ok(Some(layer))
    }

    fn data(&mut self, is_text: bool) -> Result<Data<'a>, TextError> {
        if is_text {
            return self.text_content().map(Data::Text);
        }
        let mut ids = Vec::new();
        while let Some(child) = self.xml.child()? {
            if child.name != "tile" {
                return Err(self.xml.unexpected(child.offset, "the element `tile`"));
            }
            push(&mut ids, child.number(&self.xml, "gid")?.unwrap_or(0));
            self.xml.skip_element()?;
        }
        Ok(Data::Ids(ids))
    }

    /// The text of an element without children, up to its end.
    fn text_content(&mut self) -> Result<Cow<'a, str>, TextError> {
        let mut content = Cow::Borrowed("");
        loop {
            match self.xml.next()? {
                Some(Event::Text(piece)) if content.is_empty() => content = piece,
                Some(Event::Text(piece)) => content.to_mut().push_str(&piece),
                Some(Event::Start(child)) => {
                    return Err(self.xml.unexpected(child.offset, "text"));
                }
                Some(Event::End) | None => return Ok(content),
            }
        }
    }

    fn tileset(&mut self, element: &Element<'a>) -> Result<Tileset<'a>, TextError> {
        let mut tileset = Tileset {
            firstgid: element.number(&self.xml, "firstgid")?,
            source: text(element, "source"),
            tiles: Vec::new(),
            offset: Some(element.offset),
        };
        while let Some(child) = self.xml.child()? {
            if child.name != "tile" {
                self.xml.skip_element()?;
                continue;
            }
            let mut tile = Tile {
                id: self.required(&child, "id")?,
                class: text(&child, "class").or_else(|| text(&child, "type")),
                properties: Vec::new(),
            };
            while let Some(inner) = self.xml.child()? {
                if inner.name == "properties" {
                    tile.properties = self.properties()?;
                } else {
                    self.xml.skip_element()?;
                }
            }
            tileset.tiles.push(tile);
        }
        Ok(tileset)
    }

    fn shape(&mut self, element: &Element<'a>) -> Result<Shape<'a>, TextError> {
        let length = |name| element.number::<f64>(&self.xml, name);
        let mut shape = Shape {
            id: element.number(&self.xml, "id")?.unwrap_or(0),
            name: text(element, "name").unwrap_or_default(),
            class: text(element, "class").or_else(|| text(element, "type")),
            x: length("x")?.unwrap_or(0.0),
            y: length("y")?.unwrap_or(0.0),
            width: length("width")?.unwrap_or(0.0),
            height: length("height")?.unwrap_or(0.0),
            rotation: length("rotation")?.unwrap_or(0.0),
            gid: element.attribute("gid").is_some(),
            template: element.attribute("template").is_some(),
            ..Shape::default()
        };
        while let Some(child) = self.xml.child()? {
            match child.name {
                "properties" => {
                    shape.properties = self.properties()?;
                    continue;
                }
                "ellipse" => shape.ellipse = true,
                "point" => shape.point = true,
                "polygon" => shape.polygon = true,
                "polyline" => shape.polyline = true,
                "text" => shape.text = true,
                _ => {}
            }
            self.xml.skip_element()?;
        }
        Ok(shape)
    }

    fn properties(&mut self) -> Result<Vec<Property<'a>>, TextError> {
        let mut properties = Vec::new();
        while let Some(element) = self.xml.child()? {
            if element.name != "property" {
                return Err(self
                    .xml
                    .unexpected(element.offset, "the element `property`"));
            }
            let name = text(&element, "name");
            let name =
                name.ok_or_else(|| self.xml.unexpected(element.offset, "an attribute `name`"))?;
            let value = self.value(&element)?;
            properties.push(Property { name, value });
        }
        Ok(properties)
    }

    /// The value of a property, up to its end: an attribute, or the text of several lines.
    fn value(&mut self, element: &Element<'a>) -> Result<Value, TextError> {
        let kind = text(element, "type").unwrap_or(Cow::Borrowed("string"));
        if kind == "class" {
            self.xml.skip_element()?;
            return Ok(Value(None));
        }
        let value = match text(element, "value") {
            Some(value) => {
                self.xml.skip_element()?;
                value
            }
            None => self.text_content()?,
        };
        let bytes = value.as_bytes();
        let parsed = match &*kind {
            "bool" => match bytes {
                b"true" => Some(PropertyValue::Bool(true)),
                b"false" => Some(PropertyValue::Bool(false)),
                _ => None,
            },
            "int" | "object" => value.parse().ok().map(PropertyValue::Int),
            "float" => f64::parse(bytes).map(PropertyValue::Float),
            _ => Some(PropertyValue::Text(value.into_owned())),
        };
        match parsed {
            Some(value) => Ok(Value(Some(value))),
            None => Err(self
                .xml
                .unexpected(element.offset, "a value of the property's type")),
        }
    }
}

fn text<'a>(element: &Element<'a>, name: &str) -> Option<Cow<'a, str>> {
    element.attribute(name).cloned()
}
