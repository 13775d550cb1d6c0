/** The check digit for a GTIN's other digits, any length (GS1 General Specifications, 7.9): weights 3, 1, … from the right. */
export function checkDigit(digits: string): number {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}
