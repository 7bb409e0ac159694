import { accentTokens } from '../../../../../src/lib/formats/accent.ts';
import { ROOT } from '../../api/client.ts';
import { SaveBar } from '../../app/save-bar.tsx';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { FormProblem, SelectField, Switch, TextArea, TextField, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card, Head } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { type ShopRecord, useSaveShop, useShopRecord } from './shop-record.tsx';

const PARTS = [
  'hero',
  'categories',
  'featured',
  'how_it_works',
  'monthly_goal',
  'servers',
  'recent_purchases',
  'top_buyers',
] as const;
const USUAL_ACCENT = '#0e7490';
const LIGHT = { bg: '#f5f6f8', surface: '#ffffff', surface2: '#eff1f5' };
const HEX = /^#[0-9a-f]{6}$/i;

export default function StorefrontPage() {
  const t = useT();
  const shop = useShop();
  const record = useShopRecord();
  return (
    <>
      <Head title={t('settings.storefront')}>
        <a className="btn" href={`${ROOT}/shops/${shop.uniqueName}/`}>
          <Icon name="eye" />
          {t('nav.viewShop')}
        </a>
      </Head>
      <Loaded query={record}>{({ data, etag }) => <Storefront key={etag} shop={data} etag={etag} />}</Loaded>
    </>
  );
}

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text);

function Storefront({ shop, etag }: { readonly shop: ShopRecord; readonly etag: string | null }) {
  const t = useT();
  const save = useSaveShop(etag);
  const start = {
    accentColor: shop.accentColor ?? USUAL_ACCENT,
    font: shop.theme.font,
    mode: shop.theme.mode,
    title: shop.hero.title ?? '',
    text: shop.hero.text ?? '',
    notice: shop.notice?.text ?? '',
    closedText: shop.closedText ?? '',
    parts: [...shop.parts] as string[],
  };
  const form = useForm(start, ({ font, mode, title, text, notice, closedText, ...rest }) =>
    save({
      ...rest,
      theme: { font, mode },
      hero: { ...shop.hero, title: textOrNull(title), text: textOrNull(text) },
      notice: textOrNull(notice) === null ? null : { ...shop.notice, text: notice },
      closedText: textOrNull(closedText),
    }),
  );
  const { values, errors } = form;
  return (
    <div className="grid2">
      <div className="stack">
        <FormProblem form={form} />
        <Card title={t('settings.look')}>
          <div className="fields">
            <TextField
              label={t('settings.accent')}
              hint={t('settings.accentHint')}
              value={values.accentColor}
              error={errors['accentColor']}
              onChange={(color) => form.set('accentColor', color)}
            />
            <SelectField
              label={t('settings.font')}
              value={values.font}
              options={[
                ['manrope', 'Manrope'],
                ['geist', 'Geist'],
                ['device', t('settings.deviceFont')],
              ]}
              onChange={(font) => form.set('font', font)}
            />
            <SelectField
              label={t('settings.mode')}
              value={values.mode}
              options={[
                ['auto', t('settings.mode.auto')],
                ['light', t('settings.mode.light')],
                ['dark', t('settings.mode.dark')],
              ]}
              onChange={(mode) => form.set('mode', mode)}
            />
          </div>
        </Card>
        <Card title={t('settings.texts')}>
          <div className="fields">
            <TextField
              label={t('settings.heroTitle')}
              value={values.title}
              error={errors['hero.title']}
              onChange={(title) => form.set('title', title)}
            />
            <TextArea
              label={t('settings.heroText')}
              rows={3}
              value={values.text}
              error={errors['hero.text']}
              onChange={(text) => form.set('text', text)}
            />
            <TextField
              label={t('settings.notice')}
              value={values.notice}
              error={errors['notice.text']}
              onChange={(notice) => form.set('notice', notice)}
            />
            <TextArea
              label={t('settings.closedText')}
              rows={2}
              value={values.closedText}
              error={errors['closedText']}
              onChange={(text) => form.set('closedText', text)}
            />
          </div>
        </Card>
        <Card title={t('settings.parts')}>
          <div className="fields">
            {PARTS.map((part) => (
              <Switch
                key={part}
                label={t(`settings.part.${part}`)}
                isOn={values.parts.includes(part)}
                onChange={(isOn) =>
                  form.set('parts', isOn ? [...values.parts, part] : values.parts.filter((one) => one !== part))
                }
              />
            ))}
          </div>
        </Card>
      </div>
      <aside className="stack">
        <Card title={t('settings.preview')}>
          <Preview
            accent={HEX.test(values.accentColor) ? values.accentColor : USUAL_ACCENT}
            title={values.title || shop.displayName}
            text={values.text}
          />
        </Card>
      </aside>
      <SaveBar form={form} />
    </div>
  );
}

/** What the rule of accent colours makes of the owner's colour: the same that the storefront computes. */
function Preview({ accent, title, text }: { readonly accent: string; readonly title: string; readonly text: string }) {
  const t = useT();
  const tokens = accentTokens(accent.toLowerCase(), LIGHT, false);
  return (
    <div className="prev-shop">
      <div
        className="prev-hero"
        style={{ background: `linear-gradient(160deg, ${tokens.heroTop}, ${tokens.heroLow})` }}
      >
        <b>{title}</b>
        <p>{text}</p>
      </div>
      <div className="prev-body">
        <span style={{ color: tokens.accentText }}>{t('settings.sampleLink')}</span>
        <span
          className="prev-button"
          style={{ background: tokens.accent, color: tokens.onAccent, borderColor: tokens.accentEdge }}
        >
          {t('settings.sampleButton')}
        </span>
      </div>
    </div>
  );
}
