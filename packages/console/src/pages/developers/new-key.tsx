import { useQuery } from '@tanstack/react-query';
import { api, dataOf, unchecked } from '../../api/client.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckList, TimeField } from '../../ui/extra-fields.tsx';
import { FormProblem, SelectField, TextField, useForm } from '../../ui/form.tsx';
import { Button } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useServers } from '../products/queries.ts';

interface Meta {
  readonly permissions: readonly { readonly name: string; readonly description: string }[];
  readonly keyTypes: readonly {
    readonly name: string;
    readonly description: string;
    readonly permissions: readonly string[];
  }[];
  readonly events: readonly { readonly name: string; readonly description: string; readonly permission: string }[];
}

/** What the service offers; it changes with its version only. */
export const useMeta = () =>
  useQuery({ queryKey: ['meta'], queryFn: () => dataOf(api.get('/api/v2/meta')), staleTime: Number.POSITIVE_INFINITY });

/** Asks what a new key is for. The key is shown once, by the page. */
export function NewKeyDialog(props: { readonly onMade: (key: string) => void; readonly onClose: () => void }) {
  const t = useT();
  const meta = useMeta();
  return (
    <Dialog isOpen title={t('developers.newKey')} onClose={props.onClose} isWide>
      <Loaded query={meta}>{(data) => <KeyForm meta={data} {...props} />}</Loaded>
    </Dialog>
  );
}

function KeyForm(props: { readonly meta: Meta; readonly onMade: (key: string) => void; readonly onClose: () => void }) {
  const t = useT();
  const shop = useShop();
  const servers = useServers();
  const { meta } = props;
  const initial = {
    name: '',
    type: 'plugin',
    permissions: [] as readonly string[],
    serverIds: [] as readonly string[],
    expiresAt: null as string | null,
  };
  const form = useForm(initial, async ({ serverIds, ...values }) => {
    const made = await dataOf(
      api.post('/api/v2/api-keys', {
        body: unchecked({ ...values, shopId: shop._id, serverIds: serverIds.length === 0 ? null : serverIds }),
      }),
    );
    props.onMade(made.key);
  });
  const { values, errors, set } = form;
  const kind = meta.keyTypes.find(({ name }) => name === values.type);
  // A key has at most what its maker has.
  const offered = meta.permissions.filter(
    ({ name }) => kind?.permissions.includes(name) === true && shop.permissions.includes(name),
  );
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <FormProblem form={form} />
      <TextField
        label={t('developers.name')}
        hint={t('developers.nameHint')}
        value={values.name}
        error={errors['name']}
        required
        onChange={(name) => set('name', name)}
      />
      <SelectField
        label={t('developers.kind')}
        hint={t(`developers.kind.${values.type}`)}
        value={values.type}
        options={meta.keyTypes.map(({ name }) => [name, name] as const)}
        onChange={(type) => {
          set('type', type);
          set('permissions', []);
        }}
      />
      <CheckList
        label={t('developers.may')}
        options={offered.map(({ name, description }) => [name, `${name}: ${description}`] as const)}
        values={values.permissions}
        onChange={(permissions) => set('permissions', permissions)}
      />
      {errors['permissions'] !== undefined && (
        <p className="err" role="alert">
          {t('developers.chooseOne')}
        </p>
      )}
      {servers.length > 0 && (
        <CheckList
          label={t('developers.servers')}
          hint={t('developers.serversHint')}
          options={servers.map(({ id, name }) => [id, name] as const)}
          values={values.serverIds}
          onChange={(serverIds) => set('serverIds', serverIds)}
        />
      )}
      <TimeField
        label={t('developers.ends')}
        hint={t('developers.endsHint')}
        value={values.expiresAt}
        error={errors['expiresAt']}
        onChange={(time) => set('expiresAt', time)}
      />
      <div className="end">
        <Button onClick={props.onClose}>{t('developers.cancel')}</Button>
        <Button type="submit" look="main" isBusy={form.isBusy}>
          {t('developers.makeKey')}
        </Button>
      </div>
    </form>
  );
}
