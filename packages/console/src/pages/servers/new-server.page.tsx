import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { Link, useGo } from '../../app/links.tsx';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button, Head } from '../../ui/parts.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { makeServerKey } from './servers.ts';

/** Connects a game server: it gets a key of its own, which is shown once, and its page waits for the first call. */
export default function NewServerPage() {
  const t = useT();
  const shop = useShop();
  const go = useGo();
  const refresh = useRefresh();
  const [made, setMade] = useState<{ readonly id: string; readonly key: string } | null>(null);
  const form = useForm({ name: '', game: 'minecraft', address: '' }, async ({ address, ...rest }) => {
    const body = { ...rest, address: address === '' ? null : address };
    const server = await dataOf(api.post('/api/v2/servers/{shopId}', { path: { shopId: shop._id }, body }));
    await refresh(...shopKey(shop._id, 'servers'));
    setMade({ id: server.id, key: await makeServerKey(shop._id, server) });
  });
  return (
    <>
      <Head
        title={t('servers.connect')}
        back={
          <Link className="back" to={`/${shop.uniqueName}/servers`}>
            <Icon name="left" />
            {t('servers.title')}
          </Link>
        }
      />
      <form className="card fields" onSubmit={(event) => void form.submit(event)}>
        <FormProblem form={form} />
        <TextField
          label={t('servers.name')}
          name="name"
          required
          value={form.values.name}
          error={form.errors['name']}
          onChange={(name) => form.set('name', name)}
        />
        <TextField
          label={t('servers.game')}
          name="game"
          required
          value={form.values.game}
          error={form.errors['game']}
          onChange={(game) => form.set('game', game)}
        />
        <TextField
          label={t('servers.address')}
          hint={t('servers.addressHint')}
          name="address"
          value={form.values.address}
          error={form.errors['address']}
          onChange={(address) => form.set('address', address)}
        />
        <div className="row">
          <Button type="submit" look="main" isBusy={form.isBusy}>
            {t('servers.makeKey')}
          </Button>
        </div>
      </form>
      <SecretDialog
        title={t('servers.keyTitle')}
        text={t('servers.keyText')}
        secret={made?.key ?? null}
        onStored={() => made && go(`/${shop.uniqueName}/servers/${made.id}`)}
      />
    </>
  );
}
