/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor.Code: a pxr_code.  It is immutable, so no lock is needed around it. */
#include <vector>

#include "arguments.h"
#include "create.h"
#include "errors.h"
#include "module.h"

/* Entries of an array of shards. */
constexpr unsigned most = PXR_MAX_WORD_SHARDS;

class Code
{
  public:
    explicit Code(const Asked &asked);
    ~Code()
    {
        pxr_code_free(code_);
    }
    Code(const Code &) = delete;
    Code &operator=(const Code &) = delete;

    const pxr_code *code() const
    {
        return code_;
    }
    unsigned k() const
    {
        return pxr_code_k(code_);
    }
    unsigned m() const
    {
        return pxr_code_m(code_);
    }
    unsigned n() const
    {
        return k() + m();
    }
    const char *matrix() const
    {
        return pxr_matrix_name(pxr_code_matrix(code_));
    }
    unsigned w() const
    {
        return pxr_code_w(code_);
    }
    size_t packetsize() const
    {
        return pxr_code_packetsize(code_);
    }
    size_t unit() const
    {
        return pxr_code_unit(code_);
    }
    nb::object rows() const;
    nb::object state() const;

    nb::list encode(nb::handle data, nb::handle kind) const;
    void encode_into(nb::handle data, nb::handle parity) const;
    nb::list reconstruct(nb::handle shards, nb::handle want, nb::handle kind) const;
    void reconstruct_into(nb::handle have, nb::handle want) const;
    void update(nb::handle index, nb::handle old_data, nb::handle new_data,
                nb::handle parity) const;
    bool verify(nb::handle shards) const;
    nb::list differences(nb::handle shards) const;
    nb::object locate(nb::handle shards) const;

  private:
    void read_data(Buffers &buffers, const Items &data, const uint8_t **addresses) const;
    void read_stripe(Buffers &buffers, const Items &shards, const uint8_t **addresses) const;
    void wanted(nb::handle want, const Items &shards, bool *is_wanted) const;
    bool verify(const Items &shards, size_t *first, size_t *len) const;
    void check_length(size_t len) const;
    void run_encode(const Buffers &buffers, const uint8_t *const *data,
                    uint8_t *const *parity) const;
    void run_reconstruct(size_t len, size_t bytes, const uint8_t *const *have,
                         uint8_t *const *want) const;

    pxr_code *code_;
    bool assume_mds_;
};

/* ------------------------------------------------------------- making -- */

Code::Code(const Asked &asked) : code_(create_code(asked)), assume_mds_(asked.assume_mds)
{
}

const pxr_code *code_of(nb::handle object)
{
    const Code *code;
    if (!nb::try_cast(object, code) || !code)
        raise_type("code must be a permxor.Code, not %U", nb::inst_name(object).ptr());
    return code->code();
}

/* The rows of a matrix, of `columns` entries each, as a tuple of bytes objects. */
static nb::object tuple_of(const uint8_t *bytes, unsigned rows, unsigned columns)
{
    nb::list list;
    for (unsigned r = 0; r < rows; r++)
        list.append(
            nb::bytes(reinterpret_cast<const char *>(bytes) + (size_t)r * columns, columns));
    return nb::tuple(list);
}

nb::object Code::rows() const
{
    if (!packetsize()) {
        const uint8_t *coefficients = pxr_code_coefficients(code_);
        return tuple_of(coefficients, coefficients ? m() : 0, k());
    }
    const unsigned rows = m() * w(), columns = k() * w();
    std::vector<uint8_t> bits((size_t)rows * columns);
    const int status = pxr_code_bits(code_, bits.data());
    if (status != PXR_OK)
        raise_status(status);
    return tuple_of(bits.data(), rows, columns);
}

/* The arguments that make an equal code. */
nb::object Code::state() const
{
    const enum pxr_matrix matrix = pxr_code_matrix(code_);
    nb::object given = nb::none();
    if (matrix == PXR_CUSTOM || matrix == PXR_CUSTOM_BITS)
        given = nb::bytes("").attr("join")(rows());
    return nb::make_tuple(k(), m(), pxr_matrix_name(matrix), given, assume_mds_, w(),
                          packetsize());
}

/* ------------------------------------------------------------- coding -- */

void Code::check_length(size_t len) const
{
    if (len % unit() != 0)
        raise_invalid("shards of %zu bytes: lengths must be multiples of the unit, %zu bytes",
                      len, unit());
}

void Code::read_data(Buffers &buffers, const Items &data, const uint8_t **addresses) const
{
    for (unsigned j = 0; j < k(); j++)
        addresses[j] = buffers.read(data[j]);
}

void Code::run_encode(const Buffers &buffers, const uint8_t *const *data,
                      uint8_t *const *parity) const
{
    const size_t len = buffers.length();
    check_length(len);
    int status;
    {
        Unlocked unlocked(len * n());
        status = pxr_encode(code_, len, data, parity);
    }
    if (status != PXR_OK)
        raise_status(status);
}

nb::list Code::encode(nb::handle data, nb::handle kind) const
{
    check_kind(kind);
    const Items items(data, "data", k());
    Buffers buffers;
    const uint8_t *sources[most];
    read_data(buffers, items, sources);
    uint8_t *outputs[most];
    nb::list parity;
    for (unsigned r = 0; r < m(); r++)
        parity.append(new_shard(kind, buffers.length(), &outputs[r]));
    populate(outputs, m(), buffers.length());
    run_encode(buffers, sources, outputs);
    return parity;
}

void Code::encode_into(nb::handle data, nb::handle parity) const
{
    const Items data_items(data, "data", k());
    const Items parity_items(parity, "parity", m());
    Buffers buffers;
    const uint8_t *sources[most];
    read_data(buffers, data_items, sources);
    uint8_t *outputs[most];
    for (unsigned r = 0; r < m(); r++)
        outputs[r] = buffers.write(parity_items[r]);
    buffers.forbid_overlap();
    run_encode(buffers, sources, outputs);
}

void Code::run_reconstruct(size_t len, size_t bytes, const uint8_t *const *have,
                           uint8_t *const *want) const
{
    check_length(len);
    int status;
    {
        Unlocked unlocked(bytes);
        status = pxr_reconstruct(code_, len, have, want);
    }
    if (status != PXR_OK)
        raise_status(status);
}

/* Marks the shards to make: those of `want`, or all lost ones where that is None. */
void Code::wanted(nb::handle want, const Items &shards, bool *is_wanted) const
{
    for (unsigned i = 0; i < n(); i++)
        is_wanted[i] = want.is_none() && shards[i].is_none();
    if (want.is_none())
        return;
    const Items numbers(want, "want");
    for (size_t i = 0; i < numbers.count(); i++) {
        const unsigned shard = number(numbers[i], "a wanted shard", n() - 1);
        if (is_wanted[shard])
            raise_invalid("shard %u is in want twice", shard);
        if (!shards[shard].is_none())
            raise_invalid("shard %u is in want, but it is also given", shard);
        is_wanted[shard] = true;
    }
}

nb::list Code::reconstruct(nb::handle shards, nb::handle want, nb::handle kind) const
{
    check_kind(kind);
    const Items items(shards, "shards", n());
    bool is_wanted[most];
    wanted(want, items, is_wanted);
    Buffers buffers;
    const uint8_t *sources[most];
    for (unsigned i = 0; i < n(); i++)
        sources[i] = buffers.read_or_none(items[i]);

    const size_t len = buffers.length();
    uint8_t *outputs[most] = {};
    nb::list all;
    size_t bytes = buffers.bytes();
    for (unsigned i = 0; i < n(); i++) {
        if (!is_wanted[i]) {
            all.append(items[i]);
            continue;
        }
        all.append(new_shard(kind, len, &outputs[i]));
        bytes += len;
    }
    populate(outputs, n(), len);
    run_reconstruct(len, bytes, sources, outputs);
    return all;
}

void Code::reconstruct_into(nb::handle have, nb::handle want) const
{
    const Items have_items(have, "have", n());
    const Items want_items(want, "want", n());
    Buffers buffers;
    const uint8_t *sources[most];
    uint8_t *outputs[most];
    for (unsigned i = 0; i < n(); i++) {
        if (!have_items[i].is_none() && !want_items[i].is_none())
            raise_invalid("shard %u is in both have and want", i);
        sources[i] = buffers.read_or_none(have_items[i]);
        outputs[i] = buffers.write_or_none(want_items[i]);
    }
    buffers.forbid_overlap();
    run_reconstruct(buffers.length(), buffers.bytes(), sources, outputs);
}

void Code::update(nb::handle index, nb::handle old_data, nb::handle new_data,
                  nb::handle parity) const
{
    const unsigned shard = number(index, "index", k() - 1);
    const Items items(parity, "parity", m());
    Buffers buffers;
    const uint8_t *const before = buffers.read_or_none(old_data);
    const uint8_t *const after = buffers.read(new_data);
    uint8_t *outputs[most];
    for (unsigned r = 0; r < m(); r++)
        outputs[r] = buffers.write_or_none(items[r]);
    buffers.forbid_overlap();
    check_length(buffers.length());
    int status;
    {
        Unlocked unlocked(buffers.bytes());
        status = pxr_update(code_, buffers.length(), shard, before, after, outputs);
    }
    if (status != PXR_OK)
        raise_status(status);
}

/* ----------------------------------------------------------- checking -- */

/* Parity shards may be None. */
void Code::read_stripe(Buffers &buffers, const Items &shards, const uint8_t **addresses) const
{
    read_data(buffers, shards, addresses);
    for (unsigned i = k(); i < n(); i++)
        addresses[i] = buffers.read_or_none(shards[i]);
}

bool Code::verify(const Items &shards, size_t *first, size_t *len) const
{
    Buffers buffers;
    const uint8_t *addresses[most];
    read_stripe(buffers, shards, addresses);
    *len = buffers.length();
    check_length(*len);
    int status;
    {
        Unlocked unlocked(buffers.bytes());
        status = pxr_verify(code_, *len, addresses, first);
    }
    if (status != PXR_OK && status != PXR_EMISMATCH)
        raise_status(status);
    return status == PXR_OK;
}

bool Code::verify(nb::handle shards) const
{
    size_t len;
    return verify(Items(shards, "shards", n()), nullptr, &len);
}

nb::list Code::differences(nb::handle shards) const
{
    size_t first[most];
    size_t len;
    verify(Items(shards, "shards", n()), first, &len);
    nb::list offsets;
    for (unsigned r = 0; r < m(); r++)
        offsets.append(first[r] < len ? nb::object(nb::int_(first[r])) : nb::none());
    return offsets;
}

nb::object Code::locate(nb::handle shards) const
{
    const Items items(shards, "shards", n());
    if (m() < 2)
        raise_invalid("a code with one parity shard cannot find the wrong shard");
    Buffers buffers;
    const uint8_t *addresses[most];
    for (unsigned i = 0; i < n(); i++)
        addresses[i] = buffers.read(items[i]);
    check_length(buffers.length());
    unsigned index;
    int status;
    {
        Unlocked unlocked(buffers.bytes());
        status = pxr_locate(code_, buffers.length(), addresses, &index);
    }
    if (status == PXR_OK)
        return nb::none();
    if (status != PXR_EMISMATCH)
        raise_status(status);
    return nb::int_(index);
}

/* ------------------------------------------------------------ binding -- */

static const char code_doc[] =
    "An erasure code of k data shards and m parity shards, over GF(2^8), polynomial 0x11d,\n"
    "unless w or packetsize are given.\n\n"
    "matrix: \"isal_cauchy\", \"isal_vand\", \"jerasure_van\", \"jerasure_r6\" or\n"
    "\"klauspost_vand\": the program whose bytes it gives.  rows: the m * k bytes of a\n"
    "matrix of your own, row by row, in place of a name; they are tested for being MDS\n"
    "unless assume_mds.\n\n"
    "w: 4, 16 or 32 with jerasure's two matrices, for words of so many bits.\n\n"
    "packetsize: with \"jerasure_cauchy_orig\", \"jerasure_cauchy_good\",\n"
    "\"jerasure_liberation\", \"jerasure_blaum_roth\" and \"jerasure_liber8tion\" the bytes\n"
    "of a packet, of which a unit of a shard has w.  Rows of your own are then m * w * k * w\n"
    "bytes of 0 and 1.  Lengths are multiples of the unit, w * packetsize bytes or a word.\n\n"
    "Shards are numbered 0..k-1 for data and k..k+m-1 for parity.  A shard is anything\n"
    "with the buffer protocol, contiguous; those of one call have one length.\n"
    "Nothing is copied, and buffers that are written overlap no other.  A code is\n"
    "immutable: any number of threads may use it; the interpreter's lock is released\n"
    "while it works.  Nobody may change the buffers of a call meanwhile.\n\n"
    "Raises InvalidError for k, m < 1, more shards than there may be (256, with w = 4 16,\n"
    "with w = 16 and 32 1024), an unknown name or rows of another length, NotMDSError,\n"
    "and UnprovenError where rows are too many to be tested.\n"
    "Every method raises TypeError or BufferError for what is no such buffer and\n"
    "InvalidError (a ValueError) for wrong counts, unequal lengths and overlaps; nothing\n"
    "has been written then.";

void bind_code(nb::module_ &module)
{
    const nb::handle bytearray((PyObject *)&PyByteArray_Type);
    nb::class_<Code>(module, "Code", nb::is_final(), code_doc)
        .def(
            "__init__",
            [](Code *self, nb::handle k, nb::handle m, nb::handle matrix, nb::handle rows,
               bool assume_mds, nb::handle w, nb::handle packetsize) {
                new (self) Code({k, m, matrix, rows, w, packetsize, assume_mds});
            },
            nb::arg("k"), nb::arg("m"), nb::arg("matrix") = "isal_cauchy", nb::kw_only(),
            nb::arg("rows").none() = nb::none(), nb::arg("assume_mds") = false,
            nb::arg("w") = 8, nb::arg("packetsize") = 0)
        .def_prop_ro("k", &Code::k, "The number of data shards.")
        .def_prop_ro("m", &Code::m, "The number of parity shards.")
        .def_prop_ro("n", &Code::n, "The number of all shards, k + m.")
        .def_prop_ro("matrix", &Code::matrix,
                     "The name of the matrix; \"custom\" or \"custom_bits\" for rows.")
        .def_prop_ro("w", &Code::w, "The bits of an element, or the packets of a unit.")
        .def_prop_ro("packetsize", &Code::packetsize,
                     "The bytes of a packet; 0 where there are none.")
        .def_prop_ro("unit", &Code::unit, "The bytes that lengths are multiples of.")
        .def_prop_ro("rows", &Code::rows,
                     "The matrix: m bytes objects of length k, of packets m * w of length\n"
                     "k * w, and none of words.")
        .def("__repr__",
             [](const Code &code) {
                 const char *text = code.packetsize() ? "permxor.Code({}, {}, '{}', w={}, "
                                                        "packetsize={})"
                                    : code.w() != 8   ? "permxor.Code({}, {}, '{}', w={})"
                                                      : "permxor.Code({}, {}, '{}')";
                 return nb::str(text).format(code.k(), code.m(), code.matrix(), code.w(),
                                             code.packetsize());
             })
        .def("__reduce__", &reduced)
        .def("__getstate__", &Code::state)
        .def("__setstate__",
             [](Code *self, nb::tuple state) {
                 const Items items(state, "the state", 7);
                 new (self) Code({items[0], items[1], items[2], items[3], items[5], items[6],
                                  items[4].is(nb::handle(Py_True))});
             })
        .def("encode", &Code::encode, nb::arg("data"), nb::arg("kind") = bytearray,
             "The m parity shards of k data shards, as new objects of `kind`, which is\n"
             "bytearray or bytes.")
        .def("encode_into", &Code::encode_into, nb::arg("data"), nb::arg("parity"),
             "Write the m parity shards of k data shards into the buffers given.")
        .def("reconstruct", &Code::reconstruct, nb::arg("shards"),
             nb::arg("want").none() = nb::none(), nb::arg("kind") = bytearray,
             "All k + m shards from any k.\n\n"
             "shards: k + m entries, None where a shard is lost.  want: the numbers of lost\n"
             "shards to rebuild, all by default.  Returns k + m entries: the objects given,\n"
             "new ones of `kind` for what was rebuilt, None for what was not wanted.\n\n"
             "Raises TooFewError for fewer than k shards, SingularError (only with\n"
             "assume_mds), InvalidError for wanting a shard that is there, or twice.")
        .def("reconstruct_into", &Code::reconstruct_into, nb::arg("have"), nb::arg("want"),
             "Rebuild shards into the buffers given.\n\n"
             "have: k + m entries, None where a shard is lost.  want: k + m entries, the\n"
             "buffer that a lost shard is written to, or None.  Raises as reconstruct().")
        .def("update", &Code::update, nb::arg("index"), nb::arg("old").none(), nb::arg("new"),
             nb::arg("parity"),
             "Bring parity up to date after data shard `index` changed from old to new.\n\n"
             "old None stands for zeros: new is then the difference.  parity: m entries,\n"
             "which are changed in place; None leaves one out.")
        .def("verify", nb::overload_cast<nb::handle>(&Code::verify, nb::const_),
             nb::arg("shards"),
             "Whether the parity shards are those of the data shards.\n\n"
             "shards: k + m entries; a parity shard that is None is not looked at.")
        .def("differences", &Code::differences, nb::arg("shards"),
             "Where parity disagrees with the data: for each parity shard the offset of the\n"
             "first byte, or None where all agree or the shard is None.")
        .def("locate", &Code::locate, nb::arg("shards"),
             "The number of the one shard that is wrong, or None where all agree.\n\n"
             "Needs m >= 2.  Raises AmbiguousError where no single shard explains it.");
}
