import type { AdminWords } from "./admin-words.ts";

// Without ß and quotation marks, since no build changes them for Switzerland.
export default {
  sign_in: {
    title: "Anmelden",
    intro: "Nur für alle, die diesen Shop bearbeiten. Ihr Gerät fragt nach Fingerabdruck, Gesicht oder PIN.",
    button: "Mit Passkey anmelden",
    help: "Neues oder verlorenes Gerät? Lassen Sie sich vom Betreiber des Shops einen Link geben.",
  },
  enrol: {
    title: "Passkey erstellen",
    intro:
      "Um diesen Shop zu bearbeiten, melden Sie sich mit einem Passkey an, den dieses Gerät aufbewahrt. Es fragt nach Fingerabdruck, Gesicht oder PIN; ein Passwort gibt es nicht.",
    button: "Passkey erstellen",
    help: "Der Link, der Sie hierher geführt hat, gilt einmal und einen Tag lang.",
  },
  messages: {
    waiting: "Ihr Gerät fragt Sie…",
    cancelled: "Das wurde nicht abgeschlossen. Bitte versuchen Sie es noch einmal.",
    exists: "Dieses Gerät hat schon einen Passkey für diesen Shop: Melden Sie sich damit an.",
    link: "Dieser Link wurde schon benutzt oder ist abgelaufen. Lassen Sie sich vom Betreiber des Shops einen neuen geben.",
    refused:
      "Dieser Passkey gilt nicht für diesen Shop. Wählen Sie einen anderen, oder lassen Sie sich vom Betreiber des Shops einen Link geben.",
    limited: "Zu viele Versuche aus Ihrem Netz. Bitte versuchen Sie es in einer Stunde noch einmal.",
    unavailable: "Der Shop kann gerade nicht antworten. Bitte versuchen Sie es in ein paar Sekunden noch einmal.",
    unsupported:
      "Dieser Browser kann keine Passkeys verwenden. Bitte nehmen Sie eine aktuelle Version von Chrome, Edge, Firefox oder Safari.",
    no_script: "Passkeys brauchen JavaScript. Bitte schalten Sie es für diese Seite ein.",
  },
} satisfies AdminWords;
