import { MantineProvider } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

export const LOOKS = ['device', 'light', 'dark'] as const;
export type LookChoice = (typeof LOOKS)[number];

/** Light or dark is no secret; it is kept so that no page flashes before the preferences are read. */
const KEPT = 'console-look';
const NONCE = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
const DARK = window.matchMedia('(prefers-color-scheme: dark)');

const Context = createContext<{ readonly choice: LookChoice; readonly choose: (choice: LookChoice) => void } | null>(
  null,
);

function keptChoice(): LookChoice {
  const kept = localStorage.getItem(KEPT);
  return kept === 'light' || kept === 'dark' ? kept : 'device';
}

/** Light and dark, and the settings of Mantine. */
export function Look({ children }: { readonly children: ReactNode }) {
  const [choice, setChoice] = useState(keptChoice);
  const [isDeviceDark, setDeviceDark] = useState(DARK.matches);
  useEffect(() => {
    const follow = (): void => setDeviceDark(DARK.matches);
    DARK.addEventListener('change', follow);
    return () => DARK.removeEventListener('change', follow);
  }, []);
  const scheme = choice === 'device' ? (isDeviceDark ? 'dark' : 'light') : choice;
  useEffect(() => {
    document.documentElement.dataset['theme'] = scheme;
  }, [scheme]);
  const value = useMemo(
    () => ({
      choice,
      choose: (next: LookChoice) => {
        localStorage.setItem(KEPT, next);
        setChoice(next);
      },
    }),
    [choice],
  );
  return (
    <Context value={value}>
      <MantineProvider
        forceColorScheme={scheme}
        getStyleNonce={() => NONCE}
        theme={{ fontFamily: 'var(--font-console)', respectReducedMotion: true }}
      >
        {children}
      </MantineProvider>
    </Context>
  );
}

export function useLook() {
  const look = useContext(Context);
  if (look === null) throw new Error('useLook needs a Look');
  return look;
}
