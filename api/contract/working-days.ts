/**
 * The working days of a country, as `Date#getUTCDay` numbers them (0 is Sunday), from the first after its weekend on: Monday to
 * Friday in Germany, Sunday to Thursday in Israel, by CLDR.
 */
export function workingDays(country: string): number[] {
  const weekend = new Intl.Locale(`und-${country}`).getWeekInfo().weekend.map((day) => day % 7);
  const isWorkingDay = (day: number) => !weekend.includes(day);
  const all = [0, 1, 2, 3, 4, 5, 6];
  const first = all.find((day) => isWorkingDay(day) && !isWorkingDay((day + 6) % 7)) ?? 1;
  return all.map((day) => (first + day) % 7).filter(isWorkingDay);
}
