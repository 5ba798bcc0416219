# SPDX-License-Identifier: Apache-2.0
"""Whether a PCI device of this machine can be given to a virtual machine."""
import os
import pathlib
import re

from labs.plan import Failed

ADDRESS = re.compile(r"^(?:([0-9a-f]{4}):)?([0-9a-f]{2}:[01][0-9a-f]\.[0-7])$")
BRIDGE = "0x0604"  # class of PCI bridges, which stay with the machine


def full_address(text: str) -> str:
    found = ADDRESS.match(text.lower())
    if not found:
        raise Failed(f"--pci: '{text}' is no PCI address such as 0000:3b:00.0")
    return f"{found[1] or '0000'}:{found[2]}"


def driver_of(device: pathlib.Path) -> str:
    link = device / "driver"
    return os.path.basename(os.readlink(link)) if link.is_symlink() else "none"


def check(text: str, root: pathlib.Path = pathlib.Path("/")) -> str:
    """The device's full address. Fails unless it and all of its IOMMU group are held by vfio-pci: a device could otherwise
    reach memory of others."""
    address = full_address(text)
    device = root / "sys/bus/pci/devices" / address
    if not device.exists():
        raise Failed(f"--pci: there is no device {address} here; lspci -D lists all")
    group = device / "iommu_group"
    if not group.exists():
        raise Failed(f"--pci: {address} has no IOMMU group: no IOMMU is active (firmware: VT-d or AMD-Vi; kernel: "
                     "intel_iommu=on)")
    for member in sorted((group / "devices").iterdir()):
        if (member / "class").read_text().startswith(BRIDGE):
            continue
        driver = driver_of(member)
        if driver != "vfio-pci":
            which = address if member.name == address else f"{member.name}, of the same IOMMU group as {address},"
            raise Failed(f"--pci: {which} has driver {driver}; all of a group need vfio-pci: driverctl set-override "
                         f"{member.name} vfio-pci")
    number = os.path.basename(os.path.realpath(group))
    file = root / "dev/vfio" / number
    if not file.exists():
        raise Failed(f"--pci: there is no /dev/vfio/{number} for the IOMMU group of {address}: modprobe vfio-pci")
    if not os.access(file, os.R_OK | os.W_OK):
        raise Failed(f"--pci: /dev/vfio/{number} may not be used by this user: run as root, or change its owner")
    return address
