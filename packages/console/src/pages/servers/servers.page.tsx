import { Link } from '../../app/links.tsx';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Badge, Head, Time } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { type Server, useServers } from './servers.ts';

export function ServerState({ server: { status, lastSeenAt } }: { readonly server: Server }) {
  const t = useT();
  return (
    <Badge tone={status === 'online' ? 'good' : status === 'offline' ? 'bad' : 'ring'}>
      {lastSeenAt === null ? t('home.neverSeen') : <Time at={lastSeenAt} />}
    </Badge>
  );
}

export default function ServersPage() {
  const t = useT();
  const shop = useShop();
  const servers = useServers();
  const mayWrite = useMay('servers:write');
  const connect = mayWrite && (
    <Link className="btn main" to={`/${shop.uniqueName}/servers/new`}>
      <Icon name="plus" />
      {t('servers.connect')}
    </Link>
  );
  return (
    <>
      <Head title={t('servers.title')}>{connect}</Head>
      <section className="card flush">
        <Loaded query={servers}>
          {(all) =>
            all.length === 0 ? (
              <Empty title={t('servers.none')} text={t('servers.noneText')}>
                {connect}
              </Empty>
            ) : (
              <table className="t">
                <thead>
                  <tr>
                    <th scope="col">{t('servers.server')}</th>
                    <th scope="col">{t('servers.lastCall')}</th>
                    <th scope="col" className="r">
                      {t('servers.players')}
                    </th>
                    <th scope="col">{t('servers.version')}</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((server) => (
                    <tr key={server.id}>
                      <td>
                        <Link className="go" to={`/${shop.uniqueName}/servers/${server.id}`}>
                          {server.name}
                        </Link>
                        <small className="hint block">{server.address ?? server.game}</small>
                      </td>
                      <td>
                        <ServerState server={server} />
                      </td>
                      <td className="r">{server.players && `${server.players.online} / ${server.players.max}`}</td>
                      <td className="muted">{server.version}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Loaded>
      </section>
    </>
  );
}
