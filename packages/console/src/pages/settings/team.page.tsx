import { type Schemas } from '@shop-platform/client';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { type Role } from '../../api/types.ts';
import { meQuery, shopKey, useRefresh } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { FormProblem, SelectField, TextField, useForm } from '../../ui/form.tsx';
import { initialsOf } from '../../ui/formats.ts';
import { Button, Card, Time } from '../../ui/parts.tsx';
import { Loaded, useErrorText } from '../../ui/states.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { SettingsFrame } from './frame.tsx';

type Member = Schemas['MemberDto'];

const ROLES: readonly Role[] = ['owner', 'admin', 'manager', 'support', 'analyst', 'developer'];

export default function TeamPage() {
  const t = useT();
  const shop = useShop();
  const mayWrite = useMay('team:write');
  const [isInviting, setInviting] = useState(false);
  const team = useQuery({
    queryKey: shopKey(shop._id, 'team'),
    queryFn: () => dataOf(api.get('/api/v2/shops/{shopId}/team', { path: { shopId: shop._id } })),
  });
  return (
    <SettingsFrame
      action={
        mayWrite && (
          <Button look="main" icon="plus" onClick={() => setInviting(true)}>
            {t('settings.invite')}
          </Button>
        )
      }
    >
      <Loaded query={team}>
        {({ members, invitations }) => (
          <>
            <Card isFlush title={t('settings.members')}>
              <ul className="todo">
                {members.map((member) => (
                  <MemberRow key={member.id} member={member} />
                ))}
              </ul>
            </Card>
            {invitations.length > 0 && (
              <Card isFlush title={t('settings.invitations')}>
                <ul className="todo">
                  {invitations.map((invitation) => (
                    <InvitationRow key={invitation.id} invitation={invitation} />
                  ))}
                </ul>
              </Card>
            )}
          </>
        )}
      </Loaded>
      <Dialog isOpen={isInviting} title={t('settings.invite')} onClose={() => setInviting(false)}>
        <Invite onDone={() => setInviting(false)} />
      </Dialog>
    </SettingsFrame>
  );
}

function MemberRow({ member }: { readonly member: Member }) {
  const t = useT();
  const shop = useShop();
  const tell = useTell();
  const textOf = useErrorText();
  const refresh = useRefresh();
  const me = useQuery(meQuery).data;
  const mayWrite = useMay('team:write') && member.userId !== me?.id;
  const [isRemoving, setRemoving] = useState(false);
  const path = { shopId: shop._id, memberId: member.id };
  const change = async (role: Role): Promise<void> => {
    await api
      .patch('/api/v2/shops/{shopId}/team/{memberId}', { path, body: { role } })
      .catch((error: unknown) => tell(textOf(error)));
    await refresh(...shopKey(shop._id, 'team'));
  };
  return (
    <li>
      <span className="avatar" aria-hidden="true">
        {initialsOf(member.name)}
      </span>
      <span className="grow">
        <b>{member.name}</b>
        <small>
          {member.email}
          {member.lastActiveAt !== null && (
            <>
              {' · '}
              <Time at={member.lastActiveAt} />
            </>
          )}
        </small>
      </span>
      {mayWrite ? (
        <>
          <select
            className="chip"
            aria-label={t('settings.roleOf', { name: member.name })}
            value={member.role}
            onChange={(event) => void change(event.currentTarget.value as Role)}
          >
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {t(`role.${role}`)}
              </option>
            ))}
          </select>
          <Button
            look="plain"
            icon="close"
            aria-label={t('settings.removeMember', { name: member.name })}
            onClick={() => setRemoving(true)}
          />
        </>
      ) : (
        <span className="muted">{t(`role.${member.role}`)}</span>
      )}
      <Confirm
        isOpen={isRemoving}
        title={t('settings.removeMember', { name: member.name })}
        act={t('settings.remove')}
        keep={t('settings.keepMember')}
        onClose={() => setRemoving(false)}
        onAct={async () => {
          await api.delete('/api/v2/shops/{shopId}/team/{memberId}', { path });
          await refresh(...shopKey(shop._id, 'team'));
        }}
      >
        {t('settings.removeText')}
      </Confirm>
    </li>
  );
}

function InvitationRow({
  invitation: { id, email, role, expiresAt },
}: {
  readonly invitation: Schemas['InvitationDto'];
}) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const mayWrite = useMay('team:write');
  const revoke = async (): Promise<void> => {
    await api.delete('/api/v2/shops/{shopId}/team/invitations/{invitationId}', {
      path: { shopId: shop._id, invitationId: id },
    });
    await refresh(...shopKey(shop._id, 'team'));
  };
  return (
    <li>
      <span className="grow">
        <b>{email}</b>
        <small>
          {t(`role.${role}`)} · {t('settings.until')} <Time at={expiresAt} />
        </small>
      </span>
      {mayWrite && <Button onClick={() => void revoke()}>{t('settings.revoke')}</Button>}
    </li>
  );
}

function Invite({ onDone }: { readonly onDone: () => void }) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const key = useRef(crypto.randomUUID());
  const form = useForm<{ readonly email: string; readonly role: Role }>(
    { email: '', role: 'support' },
    async (body) => {
      await api.post('/api/v2/shops/{shopId}/team/invitations', {
        path: { shopId: shop._id },
        body,
        idempotencyKey: key.current,
      });
      await refresh(...shopKey(shop._id, 'team'));
      onDone();
    },
  );
  const set: typeof form.set = (name, value) => {
    key.current = crypto.randomUUID();
    form.set(name, value);
  };
  return (
    <form className="fields" onSubmit={(event) => void form.submit(event)}>
      <FormProblem form={form} />
      <TextField
        label={t('entrance.email')}
        type="email"
        required
        data-autofocus
        value={form.values.email}
        error={form.errors['email']}
        onChange={(email) => set('email', email)}
      />
      <SelectField
        label={t('settings.role')}
        hint={t(`settings.roleText.${form.values.role}`)}
        value={form.values.role}
        error={form.errors['role']}
        options={ROLES.map((role) => [role, t(`role.${role}`)] as const)}
        onChange={(role) => set('role', role)}
      />
      <div className="end">
        <Button type="submit" look="main" isBusy={form.isBusy}>
          {t('settings.sendInvitation')}
        </Button>
      </div>
    </form>
  );
}
