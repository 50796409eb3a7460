import { QRCodeSVG } from 'qrcode.react';
import { CopyButton } from '@/ui/copy-button';
import type { Authenticator } from '../api/staff';

/** The key for an authenticator app, as a code to scan and as text. */
export function AuthenticatorCode({ of }: { of: Authenticator }) {
  return (
    <>
      <p>Scan this code with an authenticator app, or type the key there:</p>
      <p>
        <QRCodeSVG value={of.url} size={192} marginSize={2} title="The key as a QR code" />
      </p>
      <p className="connected-secret">
        <code>{of.secret}</code> <CopyButton value={of.secret} what="Copy the key" />
      </p>
    </>
  );
}
