export default {
  sign_in: {
    title: "Sign in",
    intro: "Only for those who edit this shop. Your device asks for your fingerprint, face or PIN.",
    button: "Sign in with a passkey",
    help: "New device, or lost one? Ask whoever runs the shop for a link.",
  },
  enrol: {
    title: "Create your passkey",
    intro:
      "You sign in to edit this shop with a passkey, which this device keeps. It asks for your fingerprint, face or PIN, and there is no password.",
    button: "Create a passkey",
    help: "The link that brought you here works once, for a day.",
  },
  messages: {
    waiting: "Your device is asking you…",
    cancelled: "That didn’t finish. Please try again.",
    exists: "This device has a passkey for this shop already: sign in with it.",
    link: "This link has been used or has expired. Ask whoever runs the shop for a new one.",
    refused: "This passkey doesn’t open this shop. Choose another, or ask whoever runs the shop for a link.",
    limited: "Too many attempts from your network. Please try again in an hour.",
    unavailable: "The shop can’t answer right now. Please try again in a few seconds.",
    unsupported: "This browser can’t use passkeys. Please use a current version of Chrome, Edge, Firefox or Safari.",
    no_script: "Passkeys need JavaScript. Please switch it on for this page.",
  },
};
