/** The languages of pages and emails (ISO 639-1). The first one is used when nothing says otherwise. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];
