export default {
  endings: "(?:e[mnrs]?|n|s)$",
  prepositions: "für mit ohne zu zum zur von vom aus in im an am auf bei",
  ignored:
    "und oder der die das den dem ein eine einen einer mein meine unser ihr ist sind kann was wie welche welcher ich wir sie brauche brauchen suche",
  none: "^(?:none|kein|keine|keiner)\\b",
};
