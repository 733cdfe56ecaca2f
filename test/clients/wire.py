# A minimal protobuf codec for clients without generated code.


def varint(value):
    value &= 0xFFFFFFFFFFFFFFFF
    out = b""
    while True:
        byte, value = value & 0x7F, value >> 7
        out += bytes([byte | (0x80 if value else 0)])
        if not value:
            return out


def message(fields):
    """Encodes fields by number. Values are int, str, bytes, or a list of these."""
    out = b""
    for number, value in fields.items():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, int):
                out += varint(number << 3) + varint(item)
            else:
                data = item.encode() if isinstance(item, str) else item
                out += varint(number << 3 | 2) + varint(len(data)) + data
    return out


def fields(data):
    """Decodes the last value of each field by number: varints as int, anything else as bytes."""
    found, at = {}, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        tag = number()
        if tag & 7 == 0:
            found[tag >> 3] = number()
        else:
            length = number()
            found[tag >> 3] = data[at : at + length]
            at += length
    return found
