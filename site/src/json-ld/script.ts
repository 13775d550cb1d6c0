/** JSON that may stand in a `<script>`: no `<` in it can end the element (HTML standard, 4.12.1.3). */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
