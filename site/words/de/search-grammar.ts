export default {
  endings: "(?:e[mnrs]?|n|(?<!lo)s)$",
  prepositions: "für mit ohne zu zum zur von vom aus in im an am auf bei",
  ignored:
    "und oder der die das den dem ein eine einen einer mein meine unser ihr ist sind kann was wie welche welcher ich wir sie brauche brauchen suche",
  none: "^(?:none|kein|keine|keiner)\\b",
  wider: [{ words: "kabellos schnurlos drahtlos funk", narrower: "bluetooth" }],
  questions: {
    ignored:
      "wer wen wem wo wann warum wieso wie ob wenn als dann da hier habe haben hat hatte wird werden würde kann können könnte soll sollte muss müssen darf dürfen mir mich uns euch es dies diese dieser sie er nicht kein keine etwas nur bitte bekomme gibt man sich",
    synonyms: [
      ["Versand", "Versandkosten", "Porto", "Lieferung", "liefern", "Paket", "Zustellung"],
      ["Rückgabe", "zurückgeben", "zurückschicken", "Rücksendung", "zurücksenden", "Retoure", "Widerruf"],
      ["Erstattung", "Geld zurück", "erstatten"],
      ["stornieren", "Storno", "kündigen", "zurücktreten"],
      ["Rechnung", "Beleg"],
      ["MwSt", "Mehrwertsteuer", "Umsatzsteuer", "USt", "Steuer"],
      ["Zoll", "Einfuhr"],
      ["Kosten", "kostet", "Preis", "wie viel"],
      ["zahlen", "bezahlen", "Zahlung"],
      ["wie lange", "Frist", "Tage", "Jahre"],
      ["Firma", "Unternehmen", "Betrieb"],
      ["Kontakt", "Telefon", "anrufen"],
      ["Datenschutz", "Daten"],
      ["Garantie", "Gewährleistung"],
      ["defekt", "kaputt", "fehlerhaft"],
      ["Angebot", "Kostenvoranschlag"],
      ["Öffnungszeiten", "Montag bis Freitag"],
      ["Verbraucher", "Privatperson", "Privatkunde"],
    ],
    own_order:
      "(?:wo (?:ist|sind|bleibt|bleiben)|status|verfolgen|(?:wann|wurde|ist)\\b.*\\b(?:meine?|unsere?))\\b.*(?:bestellung|paket|lieferung|sendung|ware)",
  },
  wishes: {
    most: "unter|weniger als|günstiger als|billiger als|bis(?: zu)?|höchstens|maximal|max\\.?|nicht mehr als",
    least: "über|mehr als|ab|mindestens|min\\.?",
    between: "zwischen|von",
    and: "und|bis",
    in_stock: "auf lager|vorrätig|(?:sofort )?lieferbar",
  },
};
