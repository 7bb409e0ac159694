import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { format, type Texts, type Values } from './texts.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;
export const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name);

/** Each language is a chunk of its own. */
const LOADERS: Readonly<Record<Language, () => Promise<{ readonly TEXTS: Texts }>>> = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
};

export type Translate = (key: string, values?: Values) => string;

interface Spoken {
  readonly language: Language;
  readonly t: Translate;
  readonly speak: (language: Language) => void;
}

const Context = createContext<Spoken | null>(null);

export const browserLanguage = (): Language => (navigator.language.startsWith('de') ? 'de' : 'en');

/** Shows its children once the texts of the language are there. */
export function LanguageProvider({ initial, children }: { readonly initial: Language; readonly children: ReactNode }) {
  const [language, speak] = useState(initial);
  const [loaded, setLoaded] = useState<{ readonly language: Language; readonly texts: Texts } | null>(null);
  useEffect(() => {
    let isWanted = true;
    void LOADERS[language]().then(({ TEXTS }) => {
      if (!isWanted) return;
      document.documentElement.lang = language;
      setLoaded({ language, texts: TEXTS });
    });
    return () => {
      isWanted = false;
    };
  }, [language]);
  const spoken = useMemo<Spoken | null>(() => {
    if (loaded === null) return null;
    return { language: loaded.language, speak, t: (key, values) => format(loaded.texts, loaded.language, key, values) };
  }, [loaded]);
  return spoken && <Context value={spoken}>{children}</Context>;
}

export function useLanguage(): Spoken {
  const spoken = useContext(Context);
  if (spoken === null) throw new Error('useLanguage needs a LanguageProvider');
  return spoken;
}

/** The texts of the reader's language: `t('orders.title')`. */
export const useT = (): Translate => useLanguage().t;
