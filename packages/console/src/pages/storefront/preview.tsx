import { type CSSProperties, useState } from 'react';
import { accentTokens } from '../../../../../src/lib/formats/accent.ts';
import logo from '../../../../../templates/assets/logo.svg';
import { useLook } from '../../app/look.tsx';
import { useMoney, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Card, Choice } from '../../ui/parts.tsx';
import { imageUrl } from './image-pick.tsx';
import { accentOf, SURFACES } from './look.tsx';
import { type StorefrontValues } from './storefront-form.ts';

const FAMILIES = { manrope: 'Manrope Variable', geist: 'Geist Variable', device: 'system-ui' } as const;
const PRICE = 24.99;

/** The first page as it will be, drawn from what the form has now. */
export function Preview({ values }: { readonly values: StorefrontValues }) {
  const t = useT();
  const shop = useShop();
  const money = useMoney();
  const { choice } = useLook();
  const [size, setSize] = useState<'phone' | 'desk'>('phone');
  const mode = values['theme.mode'];
  const isDark = mode === 'auto' ? choice === 'dark' : mode === 'dark';
  const surfaces = isDark ? SURFACES.dark : SURFACES.light;
  const tokens = accentTokens(accentOf(values.accentColor), surfaces, isDark);
  const style = {
    '--p-bg': surfaces.bg,
    '--p-surface': surfaces.surface,
    '--p-text': isDark ? '#e8ecf4' : '#11151c',
    '--p-accent': tokens.accent,
    '--p-on-accent': tokens.onAccent,
    '--p-edge': tokens.accentEdge,
    '--p-link': tokens.accentText,
    '--p-soft': tokens.accentSoft,
    '--p-soft-text': tokens.accentSoftText,
    '--p-hero': `radial-gradient(14rem 10rem at 80% 10%, ${tokens.heroGlow}, transparent), linear-gradient(${tokens.heroMid}, ${tokens.heroLow})`,
    fontFamily: `'${FAMILIES[values['theme.font']]}', system-ui, sans-serif`,
  } as CSSProperties;
  const heroImage = values['hero.imageId'];
  return (
    <Card
      title={t('storefront.preview')}
      className="preview-card"
      side={
        <Choice
          label={t('storefront.size')}
          value={size}
          options={[
            ['phone', t('storefront.phone')],
            ['desk', t('storefront.desk')],
          ]}
          onChange={setSize}
        />
      }
    >
      <div className={`prev-shop shop-preview ${size}`} style={style}>
        {values['notice.text'] !== '' && (
          <p className="p-notice">
            {values['notice.text']} {values['notice.label'] !== '' && <u>{values['notice.label']}</u>}
          </p>
        )}
        <div className="between p-bar">
          <span className="row">
            <img
              src={values.logoId === '' ? logo : imageUrl(shop._id, values.logoId, 320)}
              alt=""
              width="26"
              height="26"
            />
            <b>{shop.displayName}</b>
          </span>
        </div>
        {values.parts.includes('hero') && (
          <div className="p-hero">
            <b>{values['hero.title'] === '' ? shop.displayName : values['hero.title']}</b>
            {values['hero.text'] !== '' && <p>{values['hero.text']}</p>}
            {heroImage !== '' && <img src={imageUrl(shop._id, heroImage, 640)} alt="" />}
            <span className="row wrapx">
              {values['hero.links'].map(({ label }, index) => (
                <span key={index} className={index === 0 ? 'p-button' : 'p-ghost'}>
                  {label}
                </span>
              ))}
            </span>
          </div>
        )}
        <div className="p-body">
          <div className="p-card">
            <b>{t('storefront.sampleName')}</b>
            <p className="small">{t('storefront.sampleText')}</p>
            <div className="between">
              <b>{money(PRICE)}</b>
              <span className="p-button">{t('storefront.sampleAdd')}</span>
            </div>
          </div>
          <p className="small p-foot">
            {values.links.map(({ label }, index) => (
              <u key={index}>{label}</u>
            ))}
          </p>
        </div>
      </div>
      <p className="hint top">{t('storefront.previewHint')}</p>
    </Card>
  );
}
