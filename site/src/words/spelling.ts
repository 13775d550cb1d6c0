/**
 * Words as a locale spells them, what their functions return included. German files have Germany's spelling; Switzerland
 * and Liechtenstein write ss for ß and « » for „ “.
 */
export function spell<Words>(words: Words, locale: string): Words {
  const { language, region = "" } = new Intl.Locale(locale);
  return language === "de" && ["CH", "LI"].includes(region) ? (inSwitzerland(words) as Words) : words;
}

function inSwitzerland(words: unknown): unknown {
  if (typeof words === "string") return words.replaceAll("ß", "ss").replaceAll(/„([^“]*)“/g, "«$1»");
  if (typeof words === "function") return (...values: unknown[]) => inSwitzerland(words(...values));
  return Object.fromEntries(Object.entries(Object(words)).map(([name, each]) => [name, inSwitzerland(each)]));
}
