import type { WordTree } from "../../api/contract/words.ts";

/**
 * Words as a locale spells them. German files have Germany's spelling; Switzerland and Liechtenstein write ss for ß and
 * « » for „ “.
 */
export function spell<Words extends WordTree>(words: Words, locale: string): Words {
  const { language, region = "" } = new Intl.Locale(locale);
  return language === "de" && ["CH", "LI"].includes(region) ? (inSwitzerland(words) as Words) : words;
}

function inSwitzerland(words: string | WordTree): string | WordTree {
  if (typeof words === "string") return words.replaceAll("ß", "ss").replaceAll(/„([^“]*)“/g, "«$1»");
  return Object.fromEntries(
    Object.entries(words).map(([name, each]) => [name, inSwitzerland(each as string | WordTree)]),
  );
}
