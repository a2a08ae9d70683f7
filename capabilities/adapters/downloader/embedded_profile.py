"""How the embedded client behaves on the network: at home, or on a loopback interface only."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import libtorrent as lt

from capabilities.adapters.downloader.public_only import public_only

_EVENTS = (
    lt.alert_category.error
    | lt.alert_category.status
    | lt.alert_category.storage
    | lt.alert_category.dht_operation
)
# libtorrent drops what does not fit; loading some thousand torrents must.
_ALERT_QUEUE = 20_000


class Encryption(StrEnum):
    """Protocol encryption towards peers: it hides the protocol, not the content."""

    OFF = "off"
    PREFERRED = "preferred"
    REQUIRED = "required"


_POLICIES: dict[Encryption, int] = {
    Encryption.OFF: lt.enc_policy.pe_disabled,
    Encryption.PREFERRED: lt.enc_policy.pe_enabled,
    Encryption.REQUIRED: lt.enc_policy.pe_forced,
}


class Profile(Protocol):
    """What a session of the embedded client is started with."""

    @property
    def listen_port(self) -> int:
        """Where others are to connect; 0 for any port."""
        ...

    def pack(self) -> "lt.settings_pack":
        """The settings of the session, in libtorrent's names."""
        ...

    def torrent_flags(self) -> int:
        """Flags of libtorrent that every torrent gets."""
        ...

    def shut(self) -> "lt.ip_filter":
        """Addresses that nobody is sought at for a magnet that was not approved."""
        ...


@dataclass(frozen=True, slots=True)
class ProductProfile:
    """A client on the internet, as the owner set it up.

    Private torrents use neither DHT nor PEX nor LSD, whatever is set here (BEP 27). Trackers and
    web seeds inside the home network are kept to the safe subset (`ssrf_mitigation`).

    Attributes:
        listen_port: TCP and UDP; 0 lets the system choose at each start.
        dht, pex, lsd: ways of finding peers besides trackers (BEP 5, 11, 14).
        utp: uTP (BEP 29) besides TCP.
        port_forwarding: ask the router to forward the port (UPnP, NAT-PMP).
        upload_limit, download_limit: bytes per second; 0 for none. Peers in the home network are
            not counted.
        connections: peers in all.
        upload_slots: peers that are given to at one time.
    """

    listen_port: int = 6881
    dht: bool = True
    pex: bool = True
    lsd: bool = True
    utp: bool = True
    port_forwarding: bool = False
    encryption: Encryption = Encryption.PREFERRED
    upload_limit: int = 0
    download_limit: int = 0
    connections: int = 200
    upload_slots: int = 8

    def pack(self) -> "lt.settings_pack":
        """The settings of the session."""
        policy = _POLICIES[self.encryption]
        return {
            "listen_interfaces": f"0.0.0.0:{self.listen_port},[::]:{self.listen_port}",
            "enable_dht": self.dht,
            "enable_lsd": self.lsd,
            "enable_outgoing_utp": self.utp,
            "enable_incoming_utp": self.utp,
            "enable_upnp": self.port_forwarding,
            "enable_natpmp": self.port_forwarding,
            "out_enc_policy": policy,
            "in_enc_policy": policy,
            "upload_rate_limit": self.upload_limit,
            "download_rate_limit": self.download_limit,
            "connections_limit": self.connections,
            "unchoke_slots_limit": self.upload_slots,
            "alert_mask": _EVENTS,
            "alert_queue_size": _ALERT_QUEUE,
        }

    def torrent_flags(self) -> int:
        """PEX is a matter of each torrent."""
        return 0 if self.pex else lt.torrent_flags.disable_pex

    def shut(self) -> "lt.ip_filter":
        """Everything that is not the public internet."""
        return public_only()


@dataclass(frozen=True, slots=True)
class LoopbackProfile:
    """A client that talks to 127.0.0.1 and nobody else, for tests and the demo.

    uTP crawls on a loopback interface, peers share one address, and a lost one must be met again
    within a second instead of a minute.

    Attributes:
        listen_port: TCP; 0 lets the system choose.
        upload_limit, download_limit: bytes per second; 0 for none.
    """

    listen_port: int = 0
    upload_limit: int = 0
    download_limit: int = 0

    def pack(self) -> "lt.settings_pack":
        """The settings of the session."""
        return {
            "listen_interfaces": f"127.0.0.1:{self.listen_port}",
            "enable_dht": False,
            "enable_lsd": False,
            "enable_upnp": False,
            "enable_natpmp": False,
            "enable_ip_notifier": False,
            "enable_outgoing_utp": False,
            "enable_incoming_utp": False,
            "allow_multiple_connections_per_ip": True,
            "min_reconnect_time": 1,
            "min_announce_interval": 1,
            "stop_tracker_timeout": 1,
            "local_upload_rate_limit": self.upload_limit,
            "local_download_rate_limit": self.download_limit,
            "alert_mask": _EVENTS,
            "alert_queue_size": _ALERT_QUEUE,
        }

    def torrent_flags(self) -> int:
        """A loopback world has no peers to exchange."""
        return lt.torrent_flags.disable_pex

    def shut(self) -> "lt.ip_filter":
        """Nothing, for it cannot leave the loopback interface."""
        return lt.ip_filter()
