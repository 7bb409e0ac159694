import { type BuyerExport } from './buyer.types.js';
import { type BuyerExportDto } from './dto/buyer.dto.js';

/** Fields that are secrets and not data about a buyer. */
const SECRET_FIELD = /^sealed|Hash$/;

/** Everything that is stored, as JSON writes it: ids in hexadecimal digits, instants in ISO 8601. Secrets of the service are left out. */
export function toBuyerExportDto({ emails, nicknames, records }: BuyerExport): BuyerExportDto {
  const withoutSecrets = (field: string, value: unknown): unknown => (SECRET_FIELD.test(field) ? undefined : value);
  const plain = JSON.parse(JSON.stringify(records, withoutSecrets)) as BuyerExportDto['records'];
  return { emails: [...emails], nicknames: [...nicknames], records: plain };
}
