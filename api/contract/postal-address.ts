/** Countries whose addresses have the town before the postcode. */
const TOWN_FIRST: readonly string[] =
  "AS AU BD BH BM BN CA FK GB GG GI GS GU ID IE IM IN IO JE JO KE KH LB LK LV MM MP MT MV NG NP NZ PK PN PR SA SH TC TH US VG VI VN ZA".split(
    " ",
  );

interface Place {
  city: string;
  region?: string | null;
  postal_code: string | null;
  country_code: string;
}

/**
 * The lines of an address that have its town, as the country writes them, without those that are empty. Where the town is
 * first, a region stands between it and the postcode, as in Springfield IL 62704.
 */
export function townLines({ city, region, postal_code, country_code }: Place): string[] {
  const lines = TOWN_FIRST.includes(country_code) ? [[city, region, postal_code]] : [[postal_code, city], [region]];
  return lines.map((words) => words.filter(Boolean).join(" ")).filter(Boolean);
}
