import { type Schemas } from '@shop-platform/client';
import { api, dataOf, unchecked } from '../../api/client.ts';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckList } from '../../ui/extra-fields.tsx';
import { FormProblem, SelectField, Switch, TextField, useForm } from '../../ui/form.tsx';
import { Button } from '../../ui/parts.tsx';
import { useMeta } from './new-key.tsx';

export type Webhook = Schemas['WebhookDto'];

/** A new webhook, or the settings of one. The secret of a new one is shown once, by the page. */
export function WebhookDialog(props: {
  readonly webhook: Webhook | null;
  readonly onSaved: (secret: string | null) => void;
  readonly onClose: () => void;
}) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const meta = useMeta().data;
  const { webhook, onSaved, onClose } = props;
  const initial = {
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    format: webhook?.format ?? 'standard',
    events: (webhook?.events ?? []) as readonly string[],
    isActive: webhook?.isActive ?? true,
  };
  const form = useForm(initial, async ({ description, url, ...values }) => {
    const body = { ...values, description: description === '' ? null : description, ...(url === '' ? {} : { url }) };
    const path = { shopId: shop._id };
    // Only the response to the creation has the secret.
    const secret =
      webhook === null
        ? (await dataOf(api.post('/api/v2/webhooks/{shopId}', { path, body: unchecked(body) }))).secret
        : await api
            .patch('/api/v2/webhooks/{shopId}/{webhookId}', {
              path: { ...path, webhookId: webhook.id },
              body: unchecked(body),
            })
            .then(() => null);
    await refresh(...shopKey(shop._id, 'webhooks'));
    onSaved(secret);
  });
  const { values, errors, set } = form;
  const events = (meta?.events ?? []).filter(({ permission }) => shop.permissions.includes(permission));
  return (
    <Dialog
      isOpen
      title={t(webhook === null ? 'developers.newWebhook' : 'developers.settings')}
      onClose={onClose}
      isWide
    >
      <form className="fields" onSubmit={(event) => void form.submit(event)}>
        <FormProblem form={form} />
        <TextField
          label={t('developers.address')}
          hint={t('developers.addressHint')}
          type="url"
          className="mono"
          value={values.url}
          error={errors['url']}
          required={webhook === null}
          onChange={(url) => set('url', url)}
        />
        <TextField
          label={t('developers.description')}
          value={values.description}
          error={errors['description']}
          onChange={(description) => set('description', description)}
        />
        <SelectField
          label={t('developers.format')}
          value={values.format}
          options={[
            ['standard', t('developers.format.standard')],
            ['discord', t('developers.format.discord')],
          ]}
          onChange={(format) => set('format', format)}
        />
        <CheckList
          label={t('developers.events')}
          options={events.map(({ name, description }) => [name, `${name}: ${description}`] as const)}
          values={values.events}
          onChange={(chosen) => set('events', chosen)}
        />
        {errors['events'] !== undefined && (
          <p className="err" role="alert">
            {t('developers.chooseOne')}
          </p>
        )}
        <Switch label={t('developers.on')} isOn={values.isActive} onChange={(isActive) => set('isActive', isActive)} />
        <div className="end">
          <Button onClick={onClose}>{t('developers.cancel')}</Button>
          <Button type="submit" look="main" isBusy={form.isBusy}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
