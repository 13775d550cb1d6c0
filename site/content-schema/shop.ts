import { z } from "astro/zod";
import { parse } from "yaml";
import { MAX_BASKET_DAYS } from "../../api/contract/duration.ts";
import { readEmailAddress } from "../../api/contract/email-address.ts";
import { counter } from "./counter.ts";
import { date, describeInput, describeWrongInput, editedAs, line, names, quoted, strict, text } from "./fields.ts";
import { dayCount, payment } from "./payment.ts";
import {
  countries,
  country,
  giveShippingDigits,
  pickupProblems,
  shipping,
  shippingPlaces,
  shippingProblems,
} from "./shipping.ts";
import { tax, taxProblems } from "./tax.ts";

const origin = text("base_url: https://shop.example").refine(isOrigin, {
  error: ({ input }) => {
    const url = URL.canParse(String(input)) ? new URL(String(input)) : undefined;
    const right = url && /^https?:$/.test(url.protocol) ? url.origin : "https://shop.example";
    return `"${String(input)}" must be an origin, without a path or a slash at the end: \`${right}\`.`;
  },
});

const currency = text("currency: EUR").refine((code) => Intl.supportedValuesOf("currency").includes(code), {
  error: ({ input }) => `${quoted(input)} isn't a valid currency. Write its three-letter code, such as \`EUR\`.`,
});

const social = z
  .record(line("Mastodon", 30), z.url({ protocol: /^https$/, error: notHttps }), {
    error: ({ input }) =>
      `${describeInput(input, "names with addresses")} Write \`Mastodon: https://…\` below it, indented.`,
  })
  .default({});

/** A CSS colour. Without quotes YAML reads it as a comment, and the field is empty. */
const colour = (example: string) =>
  z
    .string({ error: `is missing. Use quotes, because # starts a comment otherwise: \`${example}\`.` })
    .regex(/^#[0-9a-f]{6}$/i, {
      error: ({ input }) =>
        `${quoted(input)} isn't a valid colour. Write # and six digits or letters a to f: \`${example}\`.`,
    });

const scheme = (accent: string, paper: string) =>
  strict({
    /** Links, buttons and selected items. */
    accent: colour(accent),
    /** The page's background. */
    paper: colour(paper).optional(),
  });

/** The shop's colours in light and dark mode; shop-look/palette.ts derives others from them. */
export const colours = strict({
  light: scheme('accent: "#0b5750"', 'paper: "#f7f6f2"'),
  dark: scheme('accent: "#7fd6c8"', 'paper: "#121719"'),
});

export type Colours = z.infer<typeof colours>;
export type Scheme = keyof Colours;

/** A font of the shop's own. Its licence has to allow that, as the Open Font License (OFL) does. */
const font = (example: string) =>
  text(example).regex(/^\.\/[A-Za-z0-9][\w.-]*\.woff2$/, {
    error: ({ input }) =>
      `${quoted(input)} isn't a .woff2 file beside store.yaml. ${fontAdvice(String(input), example)}`,
  });

function fontAdvice(written: string, example: string): string {
  const name = /[^/\\]*$/.exec(written)?.[0] ?? "";
  if (/\.(?:ttf|otf|woff)$/i.test(name))
    return "Browsers get WOFF2 alone, which is a third of the size: ask the font's maker for it, or convert the file.";
  const right = name.replaceAll(/[^\w.-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  if (!/.\.woff2$/.test(right)) return `Write, for example, \`${example}\`.`;
  return right === name
    ? `Put it there, and write \`${example.split(":")[0]}: ./${right}\`.`
    : `Rename it, since its name can't have blanks or other letters than a to z: \`${example.split(":")[0]}: ./${right}\`.`;
}

/** What a shop looks like; shop-look/ writes it into the style sheets. */
const look = strict({
  colours: colours.optional(),
  /** The radius of cards, buttons and fields in CSS pixels. */
  corner: z
    .int({
      error: ({ input }) =>
        `${describeWrongInput(input, "isn't a number of pixels.")} Write a whole number, such as \`4\`.`,
    })
    .min(0, "must be 0 or more; 0 is square.")
    .max(20, "must be 20 or less: a larger one would cut into fields and pictures.")
    .optional(),
  fonts: strict({
    /** Of all text. */
    body: font("body: ./alef.woff2").optional(),
    /** Of headings, prices and the shop's name. */
    headings: font("headings: ./alef-bold.woff2").optional(),
  }).optional(),
});

export type Look = z.infer<typeof look>;

/** A shop's look, wherever its colours are written: until there was `look`, they stood beside it. */
export const lookOf = ({ look = {}, colours = look.colours }: Pick<Shop, "look" | "colours">): Look => ({
  ...look,
  colours,
});

const payers = ["customer", "shop"] as const;

/** How long products can be returned, and who pays return postage. */
const returns = strict({
  /** Counted from the day of delivery. */
  days: z
    .int({
      error: ({ input }) =>
        `${describeWrongInput(input, "isn't a number of days.")} Write a whole number, such as \`30\`.`,
    })
    .min(1, "must be 1 or more. Leave `returns` out if the shop takes nothing back."),
  /** Who pays return postage if the product isn't faulty. */
  paid_by: z.enum(payers, {
    error: ({ input }) => `${describeWrongInput(input, "isn't valid.")} Write \`customer\` or \`shop\`.`,
  }),
  /** The country that returns are sent to. */
  sent_to: country,
  /** Where this applies, if it isn't where the shop delivers. */
  countries: countries.optional(),
});

/** The countries and territories where the shop's return policy applies. */
export function returnCountries({ returns, shipping }: Pick<Shop, "returns" | "shipping">): string[] {
  return returns?.countries ?? (shipping ? shippingPlaces(shipping) : []);
}

/** The contact for security reports in /.well-known/security.txt (RFC 9116). */
const security = strict({
  /** A `mailto:` or `https:` address (§2.5.3). */
  contact: text("contact: mailto:security@shop.example").refine(isContact, {
    error: ({ input }) =>
      `${quoted(input)} isn't an email address after \`mailto:\` or an https address. Write, for example, \`mailto:security@shop.example\`.`,
  }),
  /** The last day on which the contact is valid (§2.5.5). */
  expires: date,
});

// One line of printable ASCII, because a line break would start another field of the file.
function isContact(text: string): boolean {
  if (!/^[!-~]+$/.test(text)) return false;
  if (text.startsWith("mailto:")) return readEmailAddress(text.slice("mailto:".length)) !== undefined;
  return text.startsWith("https://") && URL.canParse(text);
}

const keep = strict({
  /** After a basket's last use. */
  baskets: dayCount
    .max(MAX_BASKET_DAYS, `must be ${MAX_BASKET_DAYS} or less: the cookie of a basket expires then.`)
    .default(30),
  /** Addresses of orders that weren't placed. */
  checkouts: dayCount.default(7),
  /** What was sent to a partner. */
  deliveries: dayCount.default(90),
  /** The billing facts of an erased person's order: seven years. */
  invoices: dayCount.default(2_557),
});

/** What a partner's ERP decides in place of content/. */
const erp = strict({
  owns: z
    .array(
      z.enum(["stock", "price"], {
        error: ({ input }) =>
          `${describeWrongInput(input, "isn't something that it can decide.")} Write \`stock\` or \`price\`.`,
      }),
      {
        error: "must be a list of `stock` and `price`: `[stock, price]`.",
      },
    )
    .default([]),
  /** Whether it books an order when it's placed, or once it is to be sent. */
  books: z.enum(["accepted", "placed"], { error: "must be `accepted` or `placed`." }).default("accepted"),
});

const pieces = z
  .int({ error: ({ input }) => `${describeWrongInput(input, "isn't a number of pieces.")} Write a whole number.` })
  .min(1, "must be 1 or more. Delete the line otherwise.");

const shopFields = {
  name: line("name: Counterwell", 60),
  /** The line under the name on the home page. */
  tagline: line("tagline: Counter hardware that works together", 100),
  /** The home page's description and the summary in llms.txt. */
  description: line("description: POS terminals, scanners and printers that work together.", 300),
  /** The shop's public origin, which every canonical link starts with. */
  base_url: origin,
  /** A BCP 47 tag: the language of the shop's words (words/) and the format of numbers, prices and dates. */
  locale: text("locale: en-GB").refine(isLocale, "must be a language tag such as `en-GB`."),
  /** An ISO 4217 code in use. */
  currency,
  prices_include_tax: z.boolean({
    error: ({ input }) =>
      input == null
        ? `${describeInput(input)} Write \`true\` or \`false\`.`
        : `must be \`true\` or \`false\`; you wrote \`${String(input)}\`.`,
  }),
  tax,
  /** Who may order. */
  sells_to: z
    .literal("businesses", {
      error: ({ input }) =>
        `${quoted(input)} isn't possible. Selling to consumers needs more by law, such as the words on the order button and the withdrawal function of Directive (EU) 2023/2673, which this shop doesn't have. Write \`businesses\`.`,
    })
    .default("businesses"),
  sales_email: text("sales_email: sales@shop.example")
    .refine((text) => readEmailAddress(text) !== undefined, "must be an email address.")
    .overwrite((text) => readEmailAddress(text) ?? text),
  phone: line('phone: "+44 20 7946 0123"', 40).regex(/^\+?[\d\s()./-]*\d$/, {
    error: ({ input }) =>
      `${quoted(input)} can't be dialled. Write digits only, with the country code first: \`+44 20 7946 0123\`.`,
  }),
  company: strict({
    legal_name: line("legal_name: Counterwell Ltd"),
    street: line("street: 12 Example Street"),
    city: line("city: London"),
    postal_code: line('postal_code: "EC1A 1AA"', 20),
    /** ISO 3166-1 alpha-2. */
    country_code: text("country_code: GB").regex(/^[A-Z]{2}$/, "must be a country's two-letter code, such as `GB`."),
    registration: line('registration: "01234567"'),
  }),
  /** A picture beside store.yaml, shown small: beside the name, and as the browser tab's icon. */
  logo: editedAs(
    "picture",
    text("logo: ./logo.svg").regex(/^\.\/[^/]+\.(svg|png)$/, {
      error: ({ input }) =>
        `${quoted(input)} isn't an SVG or PNG beside store.yaml. Write, for example, \`logo: ./logo.svg\`.`,
    }),
  ).optional(),
  look: look.optional(),
  /** The same as `look: colours`, where earlier versions had it. */
  colours: colours.optional(),
  /** The shop's profiles on other websites, by name. */
  social,
  /** Optional: without it, delivery is described on the shop's pages only. */
  shipping: shipping.optional(),
  returns: returns.optional(),
  /** Optional: without it, nothing can be ordered online. */
  payment: payment.optional(),
  erp: erp.prefault({}),
  /** From how many pieces down a version is among the last. Optional: without it, that is never said. */
  few_left: pieces.optional(),
  /** Pieces of a version in an order. Optional: without it, as many as a basket takes. */
  most_per_order: pieces.max(999, "must be 999 or less, since a basket takes no more.").optional(),
  /** Optional: without it, the shop doesn't have the page “Build your counter”. */
  counter: counter.optional(),
  /** Days that personal data is kept for. */
  keep: keep.prefault({}),
  /** A line on the pages on the way to an order, and at the end of every mail. */
  notice: line("notice: This is a demonstration. Nothing is really sold.", 200)
    .refine((text) => !/[{}]/.test(text), "must not have braces: no names are filled in here, as they are in mails.")
    .optional(),
  /** Words that mean the same to the search. */
  synonyms: z
    .array(names("[LAN, Ethernet]").min(2, "needs two or more names in each list: `- [LAN, Ethernet]`."), {
      error: ({ input }) => `${describeInput(input, "a list of lists")} Write \`- [LAN, Ethernet]\` below it.`,
    })
    .default([]),
  /** Optional: without it, the shop doesn't have a security.txt. */
  security: security.optional(),
};

const newTax = 'Write `tax: { name: VAT, home: NL, rates: { NL: "0.21" } }` with your country and rate.';

/** content/store.yaml: the shop's settings. */
export const shopSchema = strict(shopFields, {
  tax_rate: `isn't a field any more. Did you mean \`tax\`? ${newTax}`,
  tax_name: `isn't a field any more. Did you mean \`tax\`? ${newTax}`,
}).superRefine(checkPolicies, { when: () => true });

/** The shop's settings, as store.yaml names them. */
export type Shop = z.infer<typeof shopSchema>;

/**
 * Reads store.yaml's text; `baseUrl` (the environment's BASE_URL) wins over its own. Amounts have the currency's
 * digits. Throws a ZodError naming every problem.
 */
export function parseShop(yaml: string, baseUrl?: string): Shop {
  const written: unknown = parse(yaml);
  const override = baseUrl ? { base_url: baseUrl } : {};
  const shop = shopSchema.parse(typeof written === "object" ? { ...written, ...override } : written);
  if (shop.shipping) giveShippingDigits(shop.shipping, shop.currency);
  return shop;
}

/** Rules across fields. Skips parts with errors of their own. */
function checkPolicies(written: unknown, context: z.core.$RefinementCtx) {
  const { data } = policies.safeParse(written);
  if (!data) return;
  const { currency, shipping, returns, payment, tax, erp, look, colours } = data;
  const problems = [
    ...(currency && shipping ? shippingProblems(shipping, currency) : []),
    ...(tax ? taxProblems(tax, shipping ? shippingPlaces(shipping) : []) : []),
    ...(tax && shipping ? pickupProblems(shipping, tax) : []),
  ];
  for (const problem of problems) context.addIssue({ code: "custom", ...problem });
  if (colours != null && look != null && typeof look === "object" && "colours" in look)
    context.addIssue({
      code: "custom",
      path: ["colours"],
      message: "is written in `look`, too. Delete one of them: both mean the same.",
    });
  if (returns && !returns.countries && shipping === undefined)
    context.addIssue({
      code: "custom",
      path: ["returns"],
      message: "needs `countries: [GB]`, or a `shipping` with the countries that the shop delivers to.",
    });
  if (erp?.owns.includes("stock") && payment?.transfer && payment.transfer.cancel_after_days === undefined)
    context.addIssue({
      code: "custom",
      path: ["payment", "transfer", "cancel_after_days"],
      message:
        "is missing. Where pieces are counted (`erp: owns`), an order that nobody pays would hold them for ever: write `cancel_after_days: 21`.",
    });
  if (payment && shipping === undefined)
    context.addIssue({
      code: "custom",
      path: ["payment"],
      message: "needs `shipping`: without prices of delivery nothing can be ordered. Add it, or remove `payment`.",
    });
}

/** The valid parts; null is a `shipping` with errors. */
const policies = z.object({
  currency: currency.optional().catch(undefined),
  shipping: shipping.nullish().catch(null),
  returns: returns.optional().catch(undefined),
  payment: payment.optional().catch(undefined),
  tax: tax.optional().catch(undefined),
  erp: erp.optional().catch(undefined),
  look: z.unknown().optional(),
  colours: z.unknown().optional(),
});

function notHttps({ input }: { input: unknown }): string {
  return `${quoted(input)} isn't a complete web address. Write, for example, \`https://social.example/@shop\`.`;
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text)[0] === text;
  } catch {
    return false;
  }
}
