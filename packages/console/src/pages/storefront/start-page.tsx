import { useT } from '../../lang/language.tsx';
import { type Form, Switch, TextArea, TextField } from '../../ui/form.tsx';
import { MoveButtons } from '../../ui/move-buttons.tsx';
import { Card } from '../../ui/parts.tsx';
import { ImagePick } from './image-pick.tsx';
import { LinkFields } from './link-fields.tsx';
import { moved } from '../../ui/lists.ts';
import { orderOf, type Part, type StorefrontValues, WIDGETS } from './storefront-form.ts';

const HERO_LINKS = 2;

/** What a visitor sees first. */
export function StartPage({ form }: { readonly form: Form<StorefrontValues> }) {
  const t = useT();
  const { values, errors, set } = form;
  return (
    <Card title={t('storefront.start')} className="fields">
      <TextField
        label={t('storefront.headline')}
        name="hero.title"
        maxLength={80}
        value={values['hero.title']}
        error={errors['hero.title']}
        onChange={(text) => set('hero.title', text)}
      />
      <TextArea
        label={t('storefront.text')}
        rows={2}
        maxLength={300}
        value={values['hero.text']}
        error={errors['hero.text']}
        onChange={(text) => set('hero.text', text)}
      />
      <ImagePick
        label={t('storefront.heroImage')}
        value={values['hero.imageId']}
        error={errors['hero.imageId']}
        onChange={(id) => set('hero.imageId', id)}
      />
      <LinkFields
        label={t('storefront.heroLinks')}
        name="hero.links"
        most={HERO_LINKS}
        values={values['hero.links']}
        errors={errors}
        onChange={(links) => set('hero.links', links)}
      />
      <TextField
        label={t('storefront.notice')}
        name="notice.text"
        maxLength={200}
        value={values['notice.text']}
        error={errors['notice.text'] ?? (errors['notice'] && t('storefront.noticeBoth'))}
        onChange={(text) => set('notice.text', text)}
      />
      {values['notice.text'] !== '' && (
        <div className="fields two">
          <TextField
            label={t('storefront.noticeLabel')}
            name="notice.label"
            maxLength={40}
            value={values['notice.label']}
            error={errors['notice.label']}
            onChange={(text) => set('notice.label', text)}
          />
          <TextField
            label={t('storefront.noticeUrl')}
            name="notice.url"
            type="url"
            value={values['notice.url']}
            error={errors['notice.url']}
            onChange={(text) => set('notice.url', text)}
          />
        </div>
      )}
      <PartFields form={form} />
      <TextField
        label={t('storefront.goalText')}
        name="goalText"
        maxLength={200}
        value={values.goalText}
        error={errors['goalText']}
        onChange={(text) => set('goalText', text)}
      />
    </Card>
  );
}

/** Which parts the first page has, and in which order. */
function PartFields({ form }: { readonly form: Form<StorefrontValues> }) {
  const t = useT();
  const { parts, widgets } = form.values;
  const isOn = (part: Part): boolean => parts.includes(part) && (!WIDGETS.includes(part) || widgets.includes(part));
  const toggle = (part: Part, shown: boolean): void => {
    const others = parts.filter((other) => other !== part);
    form.set('parts', shown ? [...others, part] : others);
    if (!WIDGETS.includes(part)) return;
    const public_ = widgets.filter((other) => other !== part);
    form.set('widgets', shown ? [...public_, part] : public_);
  };
  return (
    <fieldset className="fields parts-list">
      <legend className="lab">{t('storefront.parts')}</legend>
      {orderOf(parts).map((part, index) => {
        const name = t(`storefront.part.${part}`);
        return (
          <div className="row" key={part}>
            <div className="grow">
              <Switch label={name} isOn={isOn(part)} onChange={(shown) => toggle(part, shown)} />
            </div>
            {parts.includes(part) && (
              <MoveButtons
                index={index}
                count={parts.length}
                up={t('storefront.up', { name })}
                down={t('storefront.down', { name })}
                onMove={(by) => form.set('parts', moved(parts, index, by))}
              />
            )}
          </div>
        );
      })}
      <p className="hint">{t('storefront.partsHint')}</p>
    </fieldset>
  );
}
