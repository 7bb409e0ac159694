import { txtRecordName, txtRecordValue } from '../shops/hostname-rules.js';
import { type DomainReport } from './domain-report.service.js';
import { type DomainReportDto } from './dto/domain-report.dto.js';

export function toDomainReportDto({ domain, proof, ...seen }: DomainReport): DomainReportDto {
  const { hostname, token } = domain;
  const txtRecord = { name: txtRecordName(hostname), value: txtRecordValue(token), state: proof };
  return { hostname, txtRecord, ...seen };
}
