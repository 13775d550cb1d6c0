/** Countries whose addresses have the town before the postcode. api/selling/order-view/postal-address.ts has the same; a test compares them. */
export const TOWN_FIRST: readonly string[] =
  "AS AU BD BH BM BN CA FK GB GG GI GS GU ID IE IM IN IO JE JO KE KH LB LK LV MM MP MT MV NG NP NZ PK PN PR SA SH TC TH US VG VI VN ZA".split(
    " ",
  );

/** The line of an address that has its town and postcode, as the country writes it. */
export function townLine(address: { city: string; postal_code: string; country_code: string }): string {
  const { city, postal_code, country_code } = address;
  return TOWN_FIRST.includes(country_code) ? `${city} ${postal_code}` : `${postal_code} ${city}`;
}
