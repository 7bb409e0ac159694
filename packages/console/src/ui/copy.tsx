import { useState } from 'react';
import { useT } from '../lang/language.tsx';
import { Button } from './parts.tsx';

const SHOWN_MS = 2_000;

/** Copies a text, and says so. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const t = useT();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const icon = isCopied ? 'check' : 'copy';
  return label === undefined ? (
    <Button
      look="plain"
      icon={icon}
      aria-label={t(isCopied ? 'common.copied' : 'common.copy')}
      onClick={() => void copy()}
    />
  ) : (
    <Button icon={icon} onClick={() => void copy()}>
      {isCopied ? t('common.copied') : label}
    </Button>
  );
}

/** A text that one copies whole, such as a command. */
export function Code({ text }: { readonly text: string }) {
  const t = useT();
  return (
    <div className="code pad">
      <span>{text}</span>
      <CopyButton text={text} label={t('common.copy')} />
    </div>
  );
}
