export default {
  category: {
    all: { one: "{count} Produkt", other: "{count} Produkte" },
    matching: { one: "{matching} von {count} Produkt", other: "{matching} von {count} Produkten" },
    noMatch: "Kein Produkt erfüllt alle Filter.",
    loading: "Alle Produkte werden geladen …",
    failed: "Die anderen Seiten lassen sich gerade nicht laden. Dies sind nur die Produkte dieser Seite.",
    chooseMore: "Wählen Sie mindestens zwei Produkte zum Vergleichen.",
    ticked: { other: "{count} von {most} ausgewählt." },
    compare: { one: "{count} Produkt vergleichen", other: "{count} Produkte vergleichen" },
  },
  comparison: {
    missing: "Nicht in dieser Kategorie: {names}.",
    quoted: "„{name}“",
    chooseMore: "Wählen Sie mindestens zwei Produkte zum Vergleichen. Hier sind alle.",
    differences: {
      one: "{products} Produkte im Vergleich: {count} von {rows} Zeilen unterscheidet sich, markiert mit ≠.",
      other: "{products} Produkte im Vergleich: {count} von {rows} Zeilen unterscheiden sich, markiert mit ≠.",
    },
    differs: "unterschiedlich",
    onlyDifferences: "Nur Unterschiede",
    remove: "Entfernen",
    removeProduct: "{product} entfernen",
  },
};
