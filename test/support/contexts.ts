import { type ShopContext } from '../../src/domain/principal/auth-context.js';
import { permissionsOfRole, type Role } from '../../src/domain/principal/permissions.js';

export const SHOP = '655f1c2ab1e4a9d3f0c81234';
export const OTHER_SHOP = '655f1c2ab1e4a9d3f0c81239';
/** The person of `shopContext`. */
export const USER = '655f1c2ab1e4a9d3f0c81299';

/** A person with a bearer token in `SHOP`, with all permissions of the role. */
export function shopContext(role: Role = 'owner', fields: Partial<ShopContext> = {}): ShopContext {
  return {
    principal: `user:${USER}`,
    kind: 'user',
    userId: USER,
    credentialId: '655f1c2ab1e4a9d3f0c81298',
    shopId: SHOP,
    memberId: '655f1c2ab1e4a9d3f0c81235',
    role,
    permissions: permissionsOfRole(role),
    serverIds: null,
    readsBuyers: true,
    publicView: false,
    ...fields,
  };
}
