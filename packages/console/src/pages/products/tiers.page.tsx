import { type Schemas } from '@shop-platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { Link } from '../../app/links.tsx';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useMay, useMoney, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Field, FormProblem, TextField, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { moved } from '../../ui/lists.ts';
import { MoveButtons } from '../../ui/move-buttons.tsx';
import { Badge, Button, Head } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useProducts } from './queries.ts';

type Group = Schemas['TierGroupDto'];

/** Products of which a higher one replaces a lower one: who has a lower one pays the difference. */
export default function TiersPage() {
  const t = useT();
  const shop = useShop();
  const mayWrite = useMay('products:write');
  const [edited, setEdited] = useState<Group | 'new' | null>(null);
  const query = useQuery({
    queryKey: shopKey(shop._id, 'tiers'),
    queryFn: () => dataOf(api.get('/api/v2/tier-groups/{shopId}', { path: { shopId: shop._id } })),
  });
  return (
    <>
      <Head
        title={t('products.tiers')}
        back={
          <Link className="back" to={`/${shop.uniqueName}/products`}>
            <Icon name="left" />
            {t('products.title')}
          </Link>
        }
      >
        {mayWrite && (
          <Button look="main" icon="plus" onClick={() => setEdited('new')}>
            {t('products.newTiers')}
          </Button>
        )}
      </Head>
      <Loaded query={query}>
        {(groups) =>
          groups.length === 0 ? (
            <section className="card flush">
              <Empty title={t('products.noTiers')} text={t('products.noTiersText')} />
            </section>
          ) : (
            <div className="stack">
              {groups.map((group) => (
                <GroupCard key={group.id} group={group} {...(mayWrite ? { onEdit: () => setEdited(group) } : {})} />
              ))}
            </div>
          )
        }
      </Loaded>
      {edited !== null && <GroupDialog group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}

function GroupCard({ group, onEdit }: { readonly group: Group; readonly onEdit?: () => void }) {
  const t = useT();
  const shop = useShop();
  const money = useMoney();
  const products = new Map(useProducts().map((product) => [product.id, product]));
  return (
    <section className="card flush">
      <div className="between line">
        <h2>{group.name}</h2>
        {onEdit && <Button onClick={onEdit}>{t('products.edit')}</Button>}
      </div>
      <ol className="todo">
        {group.productIds.map((id, index) => (
          <li key={id}>
            <Badge>{index + 1}</Badge>
            <Link className="grow" to={`/${shop.uniqueName}/products/${id}`}>
              {products.get(id)?.name ?? id}
            </Link>
            <b className="b6 num">{money(products.get(id)?.price ?? 0)}</b>
          </li>
        ))}
      </ol>
    </section>
  );
}

function GroupDialog({ group, onClose }: { readonly group: Group | null; readonly onClose: () => void }) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const [isRemoving, setRemoving] = useState(false);
  const done = async (): Promise<void> => {
    await refresh(...shopKey(shop._id, 'tiers'));
    onClose();
  };
  const start = { name: group?.name ?? '', productIds: (group?.productIds ?? []) as readonly string[] };
  const form = useForm(start, async (body) => {
    const path = { shopId: shop._id };
    await (group === null
      ? api.post('/api/v2/tier-groups/{shopId}', { path, body })
      : api.patch('/api/v2/tier-groups/{shopId}/{groupId}', { path: { ...path, groupId: group.id }, body }));
    await done();
  });
  if (isRemoving && group !== null) {
    return (
      <Confirm
        isOpen
        title={t('products.removeTitle', { name: group.name })}
        act={t('products.removeAct')}
        keep={t('products.keep')}
        onAct={async () => {
          await api.delete('/api/v2/tier-groups/{shopId}/{groupId}', { path: { shopId: shop._id, groupId: group.id } });
          await done();
        }}
        onClose={onClose}
      >
        <p>{t('products.removeTiersText')}</p>
      </Confirm>
    );
  }
  return (
    <Dialog isOpen title={group?.name ?? t('products.newTiers')} onClose={onClose}>
      <form className="fields" onSubmit={(event) => void form.submit(event)}>
        <FormProblem form={form} />
        <TextField
          label={t('products.name')}
          required
          value={form.values.name}
          error={form.errors['name']}
          onChange={(name) => form.set('name', name)}
        />
        <Tiers
          ids={form.values.productIds}
          error={form.errors['productIds']}
          onChange={(productIds) => form.set('productIds', productIds)}
        />
        <div className="end">
          {group !== null && <Button onClick={() => setRemoving(true)}>{t('products.remove')}</Button>}
          <Button type="submit" look="main" isBusy={form.isBusy}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The tiers from the lowest to the highest, and the products that can become one. */
function Tiers(props: {
  readonly ids: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (ids: readonly string[]) => void;
}) {
  const t = useT();
  const products = useProducts();
  const { ids, error, onChange } = props;
  const nameOf = (id: string): string => products.find((product) => product.id === id)?.name ?? id;
  return (
    <>
      {ids.length > 0 && (
        <ol className="todo boxed">
          {ids.map((id, index) => (
            <li key={id}>
              <Badge>{index + 1}</Badge>
              <span className="grow breaks">{nameOf(id)}</span>
              <MoveButtons
                index={index}
                count={ids.length}
                up={t('products.moveUp', { name: nameOf(id) })}
                down={t('products.moveDown', { name: nameOf(id) })}
                onMove={(by) => onChange(moved(ids, index, by))}
              />
              <Button
                look="plain"
                icon="close"
                aria-label={t('products.takeOut', { name: nameOf(id) })}
                onClick={() => onChange(ids.filter((other) => other !== id))}
              />
            </li>
          ))}
        </ol>
      )}
      <Field label={t('products.addTier')} hint={t('products.tiersHint')} error={error}>
        {(attributes) => (
          <select
            className="input"
            {...attributes}
            value=""
            onChange={({ currentTarget }) => onChange([...ids, currentTarget.value])}
          >
            <option value="">{t('products.chooseProduct')}</option>
            {products
              .filter(({ id }) => !ids.includes(id))
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </select>
        )}
      </Field>
    </>
  );
}
