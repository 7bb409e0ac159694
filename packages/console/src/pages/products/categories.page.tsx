import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Link } from '../../app/links.tsx';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { FormProblem, SelectField, TextArea, TextField, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { moved } from '../../ui/lists.ts';
import { MoveButtons } from '../../ui/move-buttons.tsx';
import { Button, Head } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { type Category, useCategories } from './queries.ts';

export default function CategoriesPage() {
  const t = useT();
  const shop = useShop();
  const mayWrite = useMay('products:write');
  const query = useCategories();
  const [edited, setEdited] = useState<Category | 'new' | null>(null);
  return (
    <>
      <Head
        title={t('products.categories')}
        back={
          <Link className="back" to={`/${shop.uniqueName}/products`}>
            <Icon name="left" />
            {t('products.title')}
          </Link>
        }
      >
        {mayWrite && (
          <Button look="main" icon="plus" onClick={() => setEdited('new')}>
            {t('products.newCategory')}
          </Button>
        )}
      </Head>
      <section className="card flush">
        <Loaded query={query}>
          {(categories) =>
            categories.length === 0 ? (
              <Empty title={t('products.noCategories')} text={t('products.noCategoriesText')} />
            ) : (
              <CategoryTable categories={categories} onEdit={setEdited} />
            )
          }
        </Loaded>
      </section>
      {edited !== null && (
        <CategoryDialog
          category={edited === 'new' ? null : edited}
          categories={query.data ?? []}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

function CategoryTable(props: {
  readonly categories: readonly Category[];
  readonly onEdit: (category: Category) => void;
}) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const mayWrite = useMay('products:write');
  const { categories, onEdit } = props;
  const move = async (index: number, by: -1 | 1): Promise<void> => {
    const changed = moved(categories, index, by)
      .map(({ id, position }, place) => ({ id, position, place }))
      .filter(({ position, place }) => position !== place);
    for (const { id, place } of changed) {
      await api.patch('/api/v2/categories/{shopId}/{categoryId}', {
        path: { shopId: shop._id, categoryId: id },
        body: { position: place },
      });
    }
    await refresh(...shopKey(shop._id, 'categories'));
  };
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  return (
    <table className="t">
      <thead>
        <tr>
          <th scope="col">{t('products.category')}</th>
          <th scope="col">{t('products.parent')}</th>
          <th scope="col">
            <span className="sr">{t('products.acts')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {categories.map((category, index) => (
          <tr key={category.id}>
            <td>
              <span className="cell">
                <span className="two-l">
                  <b className="b6">{category.name}</b>
                  <small>{category.slug ?? ''}</small>
                </span>
              </span>
            </td>
            <td className="muted">{names.get(category.parentId ?? '') ?? t('products.noParent')}</td>
            <td className="r">
              {mayWrite && (
                <span className="row inline-end">
                  <MoveButtons
                    index={index}
                    count={categories.length}
                    up={t('products.moveUp', { name: category.name })}
                    down={t('products.moveDown', { name: category.name })}
                    onMove={(by) => void move(index, by)}
                  />
                  <Button look="plain" onClick={() => onEdit(category)}>
                    {t('products.edit')}
                  </Button>
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CategoryDialog(props: {
  readonly category: Category | null;
  readonly categories: readonly Category[];
  readonly onClose: () => void;
}) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const { category, categories, onClose } = props;
  const [isRemoving, setRemoving] = useState(false);
  const path = { shopId: shop._id };
  const done = async (): Promise<void> => {
    await refresh(...shopKey(shop._id, 'categories'));
    onClose();
  };
  const initial = {
    name: category?.name ?? '',
    description: category?.description ?? '',
    parentId: category?.parentId ?? '',
  };
  const form = useForm(initial, async ({ name, description, parentId }) => {
    const body = { name, description, parentId: parentId === '' ? null : parentId };
    if (category === null) {
      await api.post('/api/v2/categories/{shopId}', { path, body: { ...body, position: categories.length } });
    } else {
      await api.patch('/api/v2/categories/{shopId}/{categoryId}', { path: { ...path, categoryId: category.id }, body });
    }
    await done();
  });
  const parents = categories.filter(({ id, parentId }) => id !== category?.id && parentId === null);
  if (isRemoving && category !== null) {
    return (
      <Confirm
        isOpen
        title={t('products.removeTitle', { name: category.name })}
        act={t('products.removeAct')}
        keep={t('products.keep')}
        onAct={async () => {
          await api.delete('/api/v2/categories/{shopId}/{categoryId}', { path: { ...path, categoryId: category.id } });
          await done();
        }}
        onClose={onClose}
      >
        <p>{t('products.removeCategoryText')}</p>
      </Confirm>
    );
  }
  return (
    <Dialog isOpen title={category?.name ?? t('products.newCategory')} onClose={onClose}>
      <form className="fields" onSubmit={(event) => void form.submit(event)}>
        <FormProblem form={form} />
        <TextField
          label={t('products.name')}
          value={form.values.name}
          error={form.errors['name']}
          required
          onChange={(name) => form.set('name', name)}
        />
        <TextArea
          label={t('products.description')}
          rows={3}
          value={form.values.description}
          error={form.errors['description']}
          onChange={(description) => form.set('description', description)}
        />
        <SelectField
          label={t('products.parent')}
          value={form.values.parentId}
          error={form.errors['parentId']}
          options={[['', t('products.noParent')], ...parents.map(({ id, name }) => [id, name] as const)]}
          onChange={(parentId) => form.set('parentId', parentId)}
        />
        <div className="end">
          {category !== null && <Button onClick={() => setRemoving(true)}>{t('products.remove')}</Button>}
          <Button type="submit" look="main" isBusy={form.isBusy}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
