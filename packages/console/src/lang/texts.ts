/** A text, or its forms by number: those of `Intl.PluralRules`. `{name}` stands for a value. */
export type Text = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;
export type Texts = Readonly<Record<string, Text>>;
export type Values = Readonly<Record<string, string | number>>;

/** A text with its values. A key without a text is shown as it is, so that it is seen. */
export function format(texts: Texts, language: string, key: string, values: Values = {}): string {
  const text = texts[key];
  if (text === undefined) return key;
  const form =
    typeof text === 'string'
      ? text
      : (text[new Intl.PluralRules(language).select(Number(values['count']))] ?? text.other);
  return form.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? value.toLocaleString(language) : value;
  });
}
