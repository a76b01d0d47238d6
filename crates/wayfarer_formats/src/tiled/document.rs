//! The parts of a Tiled file that are read, as its JSON names them; the XML reader fills the same.

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::tile_map::PropertyValue;

#[derive(Deserialize, Debug)]
pub(super) struct Document<'a> {
    #[serde(borrow)]
    pub(super) orientation: Cow<'a, str>,
    #[serde(default)]
    pub(super) infinite: bool,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tilewidth: u32,
    pub(super) tileheight: u32,
    #[serde(borrow, default)]
    pub(super) layers: Vec<Layer<'a>>,
    #[serde(borrow, default)]
    pub(super) tilesets: Vec<Tileset<'a>>,
    #[serde(borrow, default)]
    pub(super) properties: Vec<Property<'a>>,
}

#[derive(Deserialize, Debug)]
#[expect(clippy::use_self, reason = "serde borrows by the lifetime in the type")]
pub(super) struct Layer<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) class: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(super) width: Option<u32>,
    #[serde(default)]
    pub(super) height: Option<u32>,
    #[serde(borrow, default)]
    pub(super) data: Option<Data<'a>>,
    #[serde(borrow, default)]
    pub(super) encoding: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) compression: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) objects: Vec<Shape<'a>>,
    #[serde(borrow, default)]
    pub(super) layers: Vec<Layer<'a>>,
    #[serde(borrow, default)]
    pub(super) properties: Vec<Property<'a>>,
    /// Byte offset in XML.
    #[serde(skip)]
    pub(super) offset: Option<usize>,
}

/// Tile data before decoding.
#[derive(Debug)]
pub(super) enum Data<'a> {
    Ids(Vec<u32>),
    Text(Cow<'a, str>),
}

#[derive(Deserialize, Debug)]
pub(super) struct Tileset<'a> {
    pub(super) firstgid: Option<u32>,
    #[serde(borrow, default)]
    pub(super) source: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) tiles: Vec<Tile<'a>>,
    /// Byte offset in XML.
    #[serde(skip)]
    pub(super) offset: Option<usize>,
}

#[derive(Deserialize, Debug)]
pub(super) struct Tile<'a> {
    pub(super) id: u32,
    #[serde(borrow, default, alias = "type")]
    pub(super) class: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) properties: Vec<Property<'a>>,
}

#[derive(Deserialize, Debug)]
pub(super) struct Property<'a> {
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    pub(super) value: Value,
}

/// A property's value; `None` for classes and others without a plain value.
#[derive(Debug)]
pub(super) struct Value(pub(super) Option<PropertyValue>);

#[derive(Deserialize, Debug, Default)]
#[serde(default)]
pub(super) struct Shape<'a> {
    pub(super) id: u32,
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow, alias = "type")]
    pub(super) class: Option<Cow<'a, str>>,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) rotation: f64,
    pub(super) ellipse: bool,
    pub(super) point: bool,
    #[serde(deserialize_with = "is_present")]
    pub(super) polygon: bool,
    #[serde(deserialize_with = "is_present")]
    pub(super) polyline: bool,
    #[serde(deserialize_with = "is_present")]
    pub(super) text: bool,
    /// A tile object.
    #[serde(deserialize_with = "is_present")]
    pub(super) gid: bool,
    #[serde(deserialize_with = "is_present")]
    pub(super) template: bool,
    #[serde(borrow)]
    pub(super) properties: Vec<Property<'a>>,
}

impl Shape<'_> {
    pub(super) fn kind(&self) -> &'static str {
        let kinds = [
            (self.template, "template"),
            (self.gid, "tile"),
            (self.point, "point"),
            (self.ellipse, "ellipse"),
            (self.polygon, "polygon"),
            (self.polyline, "polyline"),
            (self.text, "text"),
            (self.rotation.abs() > 0.0, "rotated rectangle"),
        ];
        let found = kinds.into_iter().find(|(is_so, _)| *is_so);
        found.map_or("rectangle", |(_, kind)| kind)
    }
}

/// True for a member that is there, whatever its value.
fn is_present<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(value).map(|_| true)
}

struct DataVisitor;

impl<'de> Visitor<'de> for DataVisitor {
    type Value = Data<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of tile ids or a text in base64")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Data<'de>, E> {
        Ok(Data::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Data<'de>, E> {
        Ok(Data::Text(Cow::Owned(String::from(text))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Data<'de>, A::Error> {
        let mut ids = Vec::new();
        while let Some(id) = list.next_element()? {
            crate::text::push(&mut ids, id);
        }
        Ok(Data::Ids(ids))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Data<'a> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(DataVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a property's value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value(Some(PropertyValue::Bool(value))))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value(Some(PropertyValue::Int(value))))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value(i64::try_from(value).ok().map(PropertyValue::Int)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value(Some(PropertyValue::Float(value))))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value(Some(PropertyValue::from(value))))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value(None))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(ValueVisitor)
    }
}
