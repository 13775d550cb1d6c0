/** Invented people and companies in many scripts, at streets that could exist. */
export interface Person {
  first_name: string;
  last_name: string;
  company: string | null;
  vat_id: string | null;
  address1: string;
  city: string;
  postal_code: string | null;
  region: string | null;
  country_code: string;
  note: string | null;
}

const person = (
  [first_name, last_name]: [string, string],
  [address1, city, postal_code, region, country_code]: [string, string, string | null, string | null, string],
  { company = null, vat_id = null, note = null }: Partial<Pick<Person, "company" | "vat_id" | "note">> = {},
): Person => ({ first_name, last_name, company, vat_id, address1, city, postal_code, region, country_code, note });

export const people: readonly [Person, ...Person[]] = [
  person(["Ada", "Novák"], ["Dlouhá 12", "Praha 1", "110 00", null, "CZ"], {
    company: "Novák Retail s.r.o.",
    vat_id: "CZ00000019",
    note: "Prosím zavolat před doručením, zvonek č. 3.",
  }),
  person(["Zoë", "van den Berg"], ["Oudegracht 218-bis", "Utrecht", "3511 NR", null, "NL"]),
  person(["Jürgen", "Groß"], ["Königstraße 7", "Köln", "50667", "Nordrhein-Westfalen", "DE"], {
    company: "Groß & Söhne Kassenbedarf GmbH",
    vat_id: "DE000000000",
  }),
  person(["Siobhán", "O’Brien"], ["14 Upper Leeson Street", "Dublin", "D04 X9Y1", "Leinster", "IE"]),
  person(["Oliver", "Hartley-Smith"], ["Unit 4, 22 Dock Road", "Bristol", "BS1 4QA", null, "GB"], {
    company: "Hartley’s Deli & Wine",
    note: "Goods in at the rear, after 10 am.\nAsk for Oli.",
  }),
  person(["Łukasz", "Żółkiewski"], ["ul. Święty Marcin 40", "Poznań", "61-807", null, "PL"]),
  person(["Ирина", "Ёлкина"], ["ул. Шота Руставели, 15", "Київ", "01001", null, "UA"], {
    note: "Пожалуйста, без звонка.",
  }),
  person(["Димитър", "Стоянов"], ["бул. „Витоша“ 89", "София", "1463", null, "BG"], { company: "Стоянов и син ООД" }),
  person(["Αθηνά", "Παπαδοπούλου"], ["Ερμού 56", "Αθήνα", "105 63", "Αττική", "GR"], { note: "Κουδούνι: ισόγειο" }),
  person(["يوسف", "العتيبي"], ["شارع فهد السالم، مبنى ٨", "الكويت", null, "العاصمة", "KW"], {
    company: "مؤسسة العتيبي التجارية",
    note: "يرجى التسليم صباحًا",
  }),
  person(["מאיה", "בן־דוד"], ["רחוב הרצל 24", "תל אביב–יפו", "6688312", null, "IL"], { note: "קומה 2, בלי מעלית" }),
  person(["小明", "王"], ["淮海中路1号3楼", "上海市", "200021", "上海", "CN"], {
    company: "明日零售有限公司",
    note: "请开增值税发票。",
  }),
  person(["花子", "山田"], ["神宮前1-2-3 ガーデンビル5F", "渋谷区", "150-0001", "東京都", "JP"], {
    note: "不在の場合は宅配ボックスへ",
  }),
  person(["健太", "佐藤"], ["梅田2丁目4番9号", "大阪市北区", "530-0001", "大阪府", "JP"], {
    company: "株式会社サトウ商店",
  }),
  person(["สมชาย", "ใจดี"], ["99/1 ถนนสุขุมวิท", "กรุงเทพมหานคร", "10110", null, "TH"], { note: "ฝากไว้กับ รปภ. ได้เลยครับ" }),
  person(["Maya", "Johnson"], ["1180 Valencia Street, Apt. 5", "San Francisco", "94110", "CA", "US"], {
    note: "Gift 🎁 please, no invoice in the box 🙏🏽",
  }),
  person(["DeShawn", "Williams"], ["400 West Madison Street", "Chicago", "60606", "IL", "US"], {
    company: "Lakeside Coffee Roasters LLC",
  }),
  person(["Inés", "Ñíguez"], ["Calle de Alcalá 45, 3.º izq.", "Madrid", "28014", null, "ES"], {
    note: "Café «Ñandú» ☕️",
  }),
  person(["Þórunn", "Ægisdóttir"], ["Laugavegur 18", "Reykjavík", "101", null, "IS"]),
  person(["Nguyễn", "Thị Bích Ngọc"], ["12 Phố Huế", "Hà Nội", "100000", null, "VN"]),
];
