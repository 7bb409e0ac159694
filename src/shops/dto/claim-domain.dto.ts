import { TextField } from '../../common/validation/fields.js';

export class ClaimDomainDto {
  @TextField({ maxLength: 253, description: 'The hostname, without a scheme.', example: 'shop.example.com' })
  hostname!: string;
}
