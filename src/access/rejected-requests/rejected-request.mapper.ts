import { type RejectedRequestDto } from './dto/rejected-request.dto.js';
import { type RejectedRequest } from './rejected-request.types.js';

export function toRejectedRequestDto(request: RejectedRequest): RejectedRequestDto {
  const { at, method, route, status, code, requestId, keyId } = request;
  return { at: at.toISOString(), method, route, status, code, requestId, keyId };
}
