/**
 * How the languages of Europe, Hebrew, Arabic and Turkish call the options that schema.org and Google Merchant Center have a property
 * for, in lower case.
 */
const NAMES = {
  size: `size größe grösse taille pointure talla tamaño taglia misura tamanho maat størrelse storlek koko stærð rozmiar velikost
    veľkosť méret mărime veličina размер розмір големина μέγεθος suurus izmērs dydis daqs méid beden ölçü numara מידה גודל مقاس
    حجم قياس`,
  color: `colour color farbe couleur cor colore kleur farve färg farge väri litur kolor barva farba szín culoare boja цвят цвет колір
    боја χρώμα värv krāsa spalva kulur dath renk צבע لون اللون`,
  material: `material matière matériau materiale materiaal materiał materiál materijal materiali materjal materiāls medžiaga anyag
    materiaali efni материал матеріал материјал υλικό malzeme חומר مادة المادة خامة`,
  pattern: `pattern muster motif estampado patrón padrão fantasia motivo patroon mønster mönster kuvio mynstur wzór vzor minta
    uzorak vzorec шарка узор десен візерунок шара σχέδιο muster raksts raštas desen דוגמה הדפס نقش نمط`,
};

const properties = new Map(
  Object.entries(NAMES).flatMap(([property, names]) => names.split(/\s+/).map((name) => [name, property] as const)),
);

/** The property for an option of versions, `color` for `Colour`; undefined if there is none. */
export const optionProperty = (name: string): string | undefined => properties.get(name.normalize().toLowerCase());

/** Whether an option is a size of some kind, such as a shoe's: the wrong one is sent back, so nobody should guess it. */
export const isSize = (name: string): boolean =>
  name.split(/[\s/()-]+/).some((word) => optionProperty(word) === "size") ||
  /(?:gr(?:öß|öss)e|størrelse|storlek|maat|koko|méret)$/i.test(name);
