import { accentTokens, contrastOf } from '../../../../../src/lib/formats/accent.ts';
import { useLanguage, useT } from '../../lang/language.tsx';
import { type Form, TextField } from '../../ui/form.tsx';
import { Alert, Card, Choice } from '../../ui/parts.tsx';
import { ImagePick } from './image-pick.tsx';
import { FONTS, MODES, type StorefrontValues } from './storefront-form.ts';

/** Those of `tokens.css`. */
export const SURFACES = {
  light: { bg: '#f5f6f8', surface: '#ffffff', surface2: '#eff1f5' },
  dark: { bg: '#0b0e13', surface: '#131820', surface2: '#1a202b' },
} as const;
/** The colour of shops that have chosen none. */
const USUAL = '#0e7490';
const SWATCHES = [USUAL, '#3b5bdb', '#7c3aed', '#db2777', '#c2410c', '#15803d', '#ffe14d'];

/** The colour that the pages have now; while one is typed that is none, the usual one. */
export const accentOf = (text: string): string => (/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : USUAL);

/** Logo, colour and letters. */
export function LookFields({ form }: { readonly form: Form<StorefrontValues> }) {
  const t = useT();
  const { values, errors, set } = form;
  return (
    <Card title={t('storefront.look')} className="fields">
      <ImagePick
        label={t('storefront.logo')}
        value={values.logoId}
        error={errors['logoId']}
        onChange={(id) => set('logoId', id)}
      />
      <TextField
        label={t('storefront.accent')}
        className="mono accent-field"
        name="accentColor"
        maxLength={7}
        placeholder={USUAL}
        value={values.accentColor}
        error={errors['accentColor'] && t('storefront.accentRule')}
        onChange={(color) => set('accentColor', color)}
      />
      <span className="swatches">
        {SWATCHES.map((color) => (
          <button
            key={color}
            type="button"
            aria-label={color}
            aria-pressed={accentOf(values.accentColor) === color}
            style={{ background: color }}
            onClick={() => set('accentColor', color)}
          />
        ))}
      </span>
      <Readable accent={accentOf(values.accentColor)} />
      <div className="field">
        <span className="lab">{t('storefront.font')}</span>
        <Choice
          label={t('storefront.font')}
          value={values['theme.font']}
          options={FONTS.map((font) => [font, t(`storefront.font.${font}`)])}
          onChange={(font) => set('theme.font', font)}
        />
      </div>
      <div className="field">
        <span className="lab">{t('storefront.mode')}</span>
        <Choice
          label={t('storefront.mode')}
          value={values['theme.mode']}
          options={MODES.map((mode) => [mode, t(`storefront.mode.${mode}`)])}
          onChange={(mode) => set('theme.mode', mode)}
        />
      </div>
    </Card>
  );
}

/** What pages make of a colour, so that everybody can read it. */
function Readable({ accent }: { readonly accent: string }) {
  const { t, language } = useLanguage();
  const { onAccent, accentText } = accentTokens(accent, SURFACES.light, false);
  const ratio = (one: string, other: string): string =>
    `${contrastOf(one, other).toLocaleString(language, { maximumFractionDigits: 1 })}:1`;
  return (
    <Alert tone="good" title={t('storefront.readable')}>
      {t(onAccent === '#ffffff' ? 'storefront.whiteText' : 'storefront.darkText', { ratio: ratio(accent, onAccent) })}{' '}
      {accentText === accent
        ? t('storefront.linksSame', { ratio: ratio(accentText, SURFACES.light.surface) })
        : t('storefront.linksDarker', { color: accentText, ratio: ratio(accentText, SURFACES.light.surface) })}
    </Alert>
  );
}
