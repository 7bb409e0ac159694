import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Link, useGo, usePlace } from '../../app/links.tsx';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { SaveBar } from '../../app/save-bar.tsx';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Code } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { FormProblem, Switch, TextField, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Alert, Button, Card, Facts, Head } from '../../ui/parts.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { Bare, Empty, Loaded } from '../../ui/states.tsx';
import { ServerState } from './servers.page.tsx';
import { makeServerKey, type Server, useServers } from './servers.ts';

export default function ServerPage() {
  const t = useT();
  const { serverId } = usePlace();
  const servers = useServers();
  return (
    <Loaded query={servers} heading={t('servers.server')}>
      {(all) => {
        const server = all.find(({ id }) => id === serverId);
        return server === undefined ? (
          <Bare heading={t('servers.server')}>
            <Empty title={t('error.notFound')} text={t('error.notFoundText')} />
          </Bare>
        ) : (
          <ServerDetail server={server} />
        );
      }}
    </Loaded>
  );
}

function ServerDetail({ server }: { readonly server: Server }) {
  const t = useT();
  const shop = useShop();
  const go = useGo();
  const refresh = useRefresh();
  const mayWrite = useMay('servers:write');
  const [key, setKey] = useState<string | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const start = { name: server.name, game: server.game, address: server.address ?? '', isHidden: server.isHidden };
  const form = useForm(start, async ({ address, ...rest }) => {
    await api.patch('/api/v2/servers/{shopId}/{serverId}', {
      path: { shopId: shop._id, serverId: server.id },
      body: { ...rest, address: address === '' ? null : address },
    });
    await refresh(...shopKey(shop._id, 'servers'));
  });
  return (
    <>
      <Head
        title={server.name}
        back={
          <Link className="back" to={`/${shop.uniqueName}/servers`}>
            <Icon name="left" />
            {t('servers.title')}
          </Link>
        }
        badges={<ServerState server={server} />}
      />
      {server.problem !== null ? (
        <Alert tone="bad" title={t('servers.problem', { name: server.name })}>
          {server.problem}
        </Alert>
      ) : server.lastSeenAt === null ? (
        <div className="wait" role="status">
          <span className="spin" />
          <span>{t('servers.waiting', { name: server.name })}</span>
        </div>
      ) : (
        server.status === 'online' && <Alert tone="good" title={t('servers.connected', { name: server.name })} />
      )}
      <div className="grid2">
        <Card title={t('servers.settings')}>
          <form className="fields" onSubmit={(event) => void form.submit(event)}>
            <FormProblem form={form} />
            <TextField
              label={t('servers.name')}
              disabled={!mayWrite}
              value={form.values.name}
              error={form.errors['name']}
              onChange={(name) => form.set('name', name)}
            />
            <TextField
              label={t('servers.game')}
              disabled={!mayWrite}
              value={form.values.game}
              error={form.errors['game']}
              onChange={(game) => form.set('game', game)}
            />
            <TextField
              label={t('servers.address')}
              hint={t('servers.addressHint')}
              disabled={!mayWrite}
              value={form.values.address}
              error={form.errors['address']}
              onChange={(address) => form.set('address', address)}
            />
            <Switch
              label={t('servers.hidden')}
              disabled={!mayWrite}
              isOn={form.values.isHidden}
              onChange={(isHidden) => form.set('isHidden', isHidden)}
            />
          </form>
        </Card>
        <aside className="stack">
          <Card title={t('servers.now')}>
            <Facts
              facts={[
                [t('servers.players'), server.players ? `${server.players.online} / ${server.players.max}` : '–'],
                [t('servers.version'), server.version ?? '–'],
              ]}
            />
          </Card>
          {mayWrite && (
            <Card title={t('servers.keys')}>
              <p className="muted small">{t('servers.keysText')}</p>
              <div className="row wrapx top">
                <Button onClick={() => void makeServerKey(shop._id, server).then(setKey)}>
                  {t('servers.makeKey')}
                </Button>
                <Button look="plain" onClick={() => setRemoving(true)}>
                  {t('servers.remove')}
                </Button>
              </div>
            </Card>
          )}
          {/minecraft/i.test(server.game) && (
            <Card title={t('servers.azlink')}>
              <p className="muted small">{t('servers.azlinkText')}</p>
              <Code text={`azlink setup ${location.origin}/api/v2/azlink/${server.id} KEY`} />
            </Card>
          )}
        </aside>
      </div>
      <SaveBar form={form} />
      <SecretDialog
        title={t('servers.keyTitle')}
        text={t('servers.keyText')}
        secret={key}
        onStored={() => setKey(null)}
      />
      <Confirm
        isOpen={isRemoving}
        title={t('servers.removeTitle', { name: server.name })}
        act={t('servers.remove')}
        keep={t('servers.keepIt')}
        onClose={() => setRemoving(false)}
        onAct={async () => {
          await api.delete('/api/v2/servers/{shopId}/{serverId}', { path: { shopId: shop._id, serverId: server.id } });
          await refresh(...shopKey(shop._id));
          go(`/${shop.uniqueName}/servers`);
        }}
      >
        {t('servers.removeText')}
      </Confirm>
    </>
  );
}
