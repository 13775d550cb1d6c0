/** A specification: its name, and its possible values, or a range with its unit. */
export type Fact = readonly [
  name: string,
  ...values: [readonly [string, ...string[]]] | [low: number, high: number, unit: string],
];

/** What a generated category sells. */
export interface Kind {
  slug: string;
  title: string;
  /** The name of one such product, in lower case. */
  noun: string;
  facts: readonly Fact[];
}

const interfaces = [
  "USB-C",
  "USB-A",
  "USB-C and LAN",
  "LAN",
  "Bluetooth 5.3",
  "RS-232",
  "USB-C, LAN and Bluetooth 5.3",
] as const;

/** Categories that the demo shop doesn't have. */
export const kinds: readonly Kind[] = [
  {
    slug: "coin-counters",
    title: "Coin counters",
    noun: "coin counter",
    facts: [
      ["Coins", ["Euro", "Pound", "Euro and pound", "Any of 15 to 32 mm"]],
      ["Speed", 300, 2300, "coins/min"],
      ["Hopper", ["300 coins", "500 coins", "2,000 coins", "3,000 coins"]],
      ["Sorts into", ["One bag", "8 drawers", "9 tubes", "8 bags"]],
      ["Tested for", 1, 4, "million coins"],
    ],
  },
  {
    slug: "kitchen-screens",
    title: "Kitchen screens",
    noun: "kitchen screen",
    facts: [
      ["Touch", ["Through gloves", "With bare hands", "None: a bump bar"]],
      ["Screen", 15, 32, "inches"],
      ["Brightness", 250, 1000, "cd/m²"],
      ["Resolution", ["1366 × 768", "1920 × 1080", "3840 × 2160"]],
      ["Interface", interfaces],
    ],
  },
  {
    slug: "counter-scales",
    title: "Counter scales",
    noun: "counter scale",
    facts: [
      ["Capacity", ["6 kg", "15 kg", "15 kg or 30 kg, two ranges", "30 kg"]],
      ["Division", ["1 g", "2 g", "5 g", "2 g or 5 g, by range"]],
      ["Approved for trade", ["Yes, class III", "Yes, class III, by the maker", "No"]],
      ["Plate", ["Stainless steel, 340 × 220 mm", "Stainless steel, 290 × 210 mm", "Glass, 300 × 230 mm"]],
      ["Interface", interfaces],
    ],
  },
  {
    slug: "card-readers",
    title: "Card readers",
    noun: "card reader",
    facts: [
      ["Reads", ["Chip and contactless", "Contactless", "Chip, contactless and stripe"]],
      ["Display", 1, 6, "inches"],
      ["Battery", 900, 5200, "mAh"],
      ["Certificate", ["PCI PTS 5.x", "PCI PTS 6.x"]],
      ["Interface", interfaces],
    ],
  },
  {
    slug: "customer-displays",
    title: "Customer displays",
    noun: "customer display",
    facts: [
      ["Screen", ["2 lines of 20 characters", "7″, 1024 × 600", "10.1″, 1280 × 800", "15.6″, 1920 × 1080"]],
      ["Brightness", 250, 700, "cd/m²"],
      ["Height of the pole", 120, 520, "mm"],
      ["Tilt", 15, 60, "degrees"],
      ["Interface", interfaces],
    ],
  },
  {
    slug: "stands-and-mounts",
    title: "Stands and mounts",
    noun: "stand",
    facts: [
      ["Fits", ["VESA 75", "VESA 75 and 100", "Tablets of 7 to 9″", "Tablets of 10 to 13″", "Any 80 mm printer"]],
      ["Carries", 2, 18, "kg"],
      ["Height", 90, 620, "mm"],
      ["Swivels by", 90, 360, "degrees"],
      ["Held by", ["Its weight", "Four screws", "A clamp for 10 to 60 mm", "Adhesive pad"]],
    ],
  },
];

/** Specifications that fit any product on a counter. */
export const commonFacts: readonly Fact[] = [
  ["Material", ["Steel", "ABS", "Steel and ABS", "Aluminium", "Bamboo and steel"]],
  ["Finish", ["Powder coated", "Brushed", "Smooth", "Fine grain"]],
  ["Width", 80, 460, "mm"],
  ["Depth", 70, 480, "mm"],
  ["Weight", 120, 9800, "g"],
  ["Power", ["5 V over USB", "12 V, 2 A", "24 V, 2.5 A", "None"]],
  ["Sealing", ["None", "IP42", "IP54", "IP65"]],
  ["Temperature", ["0 to 40 °C", "0 to 45 °C", "−10 to 50 °C"]],
  ["Noise", 0, 55, "dB"],
  ["Cable", ["1 m", "1.5 m", "1.8 m, angled", "3 m", "None"]],
  ["Warranty", ["2 years", "3 years", "5 years, parts only"]],
];

export const brands = [
  "Velmont",
  "Ostrava & Pell",
  "Harrowgate",
  "Quillon",
  "Brinemark",
  "Tessaly",
  "Nordhave",
  "Calderis",
] as const;
export const colours = ["Black", "White", "Grey", "Slate blue", "Sand"] as const;

/** Sentences for descriptions; `{name}` is the product, `{noun}` its kind. */
export const sentences = [
  "{name} was made for counters that are busy all day and have no room to spare.",
  "It stands where an older {noun} stood, without a new hole in the worktop.",
  "Shops that open early will like that it is ready four seconds after it is switched on.",
  "The cable leaves at the back or below, so nothing hangs over the customer's side.",
  "Cleaning takes a damp cloth; spirit does no harm, scouring powder does.",
  "We have had one in our own workshop since spring, and nobody has complained yet.",
  "A {noun} is seldom looked at and always missed when it fails: spare parts are kept for seven years.",
  "If two tills share it, put it on the network and give it an address of its own.",
  "The feet are soft rubber and keep still on glass, steel and oiled wood alike.",
  "Of all {noun} models in this shop it is neither the smallest nor the cheapest, but the one that we would take home.",
  "What it cannot do is work in the rain: a market stall needs a roof, or a cover from us.",
  "Set-up is a sheet of paper with six pictures; most people need four of them.",
  "Till programs of the last ten years know it by itself, and for the others there is a driver.",
  "Before you order, measure the depth of the counter: the plug needs another 40 mm behind {name}.",
  "Should it not fit after all, it may come [back within the usual time](/returns).",
] as const;
