/** What people ask the whereabouts of, and of their payment; what they ask of it; and what asks for something else. */
const OWN = String.raw`(?:mein|unser)(?:e[mnrs]?)?\s+(?:\w+\s+)?(?:bestellungen|bestellung|pakete?|päckchen|lieferung|sendung|waren?|zahlung|geld|überweisung)`;
const STATE =
  "neues|angekommen|ankommt|kommt|unterwegs|verschickt|versendet|versandt|geliefert|eingegangen|erhalten|bekommen|da|bezahlt|raus";
const OTHER =
  "wenn|rechnung|falls|zurück\\p{L}*|storn\\p{L}*|ändern|beschädigt|kaputt|defekt|falsch|zoll|kostet|zahlen|bezahlen";

export default {
  endings: "(?:ung(?:en)?|t?e[mnrst]?|n|t|(?<!lo)s)$",
  prepositions: "für mit ohne zu zum zur von vom aus in im an am auf bei",
  ignored:
    "und oder der die das den dem ein eine einen einer mein meine unser unsere euer eure ihr ihre ist sind kann was wie welche welcher ich wir sie brauche brauchen suche",
  none: "^(?:none|kein|keine|keiner)\\b",
  wider: [{ words: "kabellos schnurlos drahtlos funk", narrower: "bluetooth" }],
  questions: {
    ignored:
      "wer wen wem wo dein du seid bist habe könnt kannst wollt möchte bietet möglich geht wann warum wieso wie ob wenn als dann da hier hat hatte wird werden würde können könnte soll sollte muss müssen darf dürfen mir mich uns euch es dies sie er nicht kein etwas nur bitte bekomme gibt man sich auch ab",
    synonyms: [
      ["Versand", "Versandkosten", "versenden", "verschicken", "Porto", "Lieferung", "liefern", "Paket", "Zustellung"],
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
      ["Kontakt", "Telefon", "telefonisch", "anrufen", "erreichen", "erreichbar"],
      ["Datenschutz", "Daten"],
      ["Garantie", "Gewährleistung"],
      ["defekt", "kaputt", "fehlerhaft"],
      ["Angebot", "Kostenvoranschlag"],
      ["Öffnungszeiten", "Montag bis Freitag"],
      ["Verbraucher", "Privatperson", "Privatkunde", "Privatleute", "privat"],
      ["Kreditkarte", "Kartenzahlung", "Visa", "Mastercard"],
      ["kostenlos", "gratis", "umsonst", "frei"],
      ["beschädigt", "Schaden", "Transportschaden"],
    ],
    own_order: String.raw`(?:wo (?:ist|sind|bleibt|bleiben)|status|verfolgen)\b.*(?:bestellung|paket|lieferung|sendung|ware)|^(?=.*\b${OWN}\b)(?=.*\b(?:${STATE})\b)(?!.*\b(?:${OTHER})\b)`,
  },
  wishes: {
    most: "unter|weniger als|günstiger als|billiger als|bis(?: zu)?|höchstens|maximal|max\\.?|nicht mehr als",
    least: "über|mehr als|ab|mindestens|min\\.?",
    between: "zwischen|von",
    and: "und|bis",
    in_stock: "(?:auf|ab) lager|vorrätige?[mnrs]?|(?:sofort )?lieferbare?[mnrs]?",
  },
};
