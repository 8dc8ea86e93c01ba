/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor.Code: a pxr_code, which is immutable, so no lock is needed around it.
 */
#include "arguments.h"
#include "errors.h"
#include "module.h"

/* Entries of an array of shards. */
constexpr unsigned most = PXR_MAX_SHARDS;

class Code
{
  public:
    Code(nb::handle k, nb::handle m, nb::handle matrix, nb::handle rows, bool assume_mds);
    ~Code()
    {
        pxr_code_free(code_);
    }
    Code(const Code &) = delete;
    Code &operator=(const Code &) = delete;

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
    void run_encode(const Buffers &buffers, const uint8_t *const *data,
                    uint8_t *const *parity) const;
    void run_reconstruct(size_t len, size_t bytes, const uint8_t *const *have,
                         uint8_t *const *want) const;

    pxr_code *code_ = nullptr;
    bool assume_mds_;
};

/* ------------------------------------------------------------- making -- */

static int create_named(pxr_code **code, unsigned k, unsigned m, nb::handle name,
                        struct pxr_error *why)
{
    enum pxr_matrix matrix;
    const char *known_as = text(name, "matrix");
    if (pxr_matrix_parse(known_as, &matrix) != PXR_OK)
        raise_invalid("no matrix is called '%.100s'", known_as);
    return pxr_code_create(code, k, m, matrix, why);
}

static int create_custom(pxr_code **code, unsigned k, unsigned m, nb::handle rows,
                         bool assume_mds, struct pxr_error *why)
{
    Buffers buffers;
    const uint8_t *bytes = buffers.read(rows);
    if (buffers.length() != (size_t)k * m)
        raise_invalid("rows has %zu bytes instead of m * k = %u", buffers.length(), k * m);
    /* The proof that they are MDS may take a while. */
    Unlocked unlocked(Unlocked::always);
    return pxr_code_create_custom(code, k, m, bytes, assume_mds ? PXR_ASSUME_MDS : 0, why);
}

Code::Code(nb::handle k_, nb::handle m_, nb::handle matrix, nb::handle rows, bool assume_mds)
    : assume_mds_(assume_mds)
{
    const unsigned k = number(k_, "k", most);
    const unsigned m = number(m_, "m", most);
    struct pxr_error why = {};
    int status;
    if (!rows.is_none())
        status = create_custom(&code_, k, m, rows, assume_mds, &why);
    else if (assume_mds)
        raise_invalid("assume_mds is for rows, and there are none");
    else
        status = create_named(&code_, k, m, matrix, &why);
    if (status != PXR_OK)
        raise_status(status, why.text);
}

nb::object Code::rows() const
{
    const char *bytes = reinterpret_cast<const char *>(pxr_code_coefficients(code_));
    nb::list rows;
    for (unsigned r = 0; r < m(); r++)
        rows.append(nb::bytes(bytes + (size_t)r * k(), k()));
    return nb::tuple(rows);
}

/* The arguments that make an equal code. */
nb::object Code::state() const
{
    const bool custom = pxr_code_matrix(code_) == PXR_CUSTOM;
    const nb::bytes rows(reinterpret_cast<const char *>(pxr_code_coefficients(code_)),
                         (size_t)m() * k());
    return nb::make_tuple(k(), m(), matrix(), custom ? nb::object(rows) : nb::none(),
                          assume_mds_);
}

/* ------------------------------------------------------------- coding -- */

void Code::read_data(Buffers &buffers, const Items &data, const uint8_t **addresses) const
{
    for (unsigned j = 0; j < k(); j++)
        addresses[j] = buffers.read(data[j]);
}

void Code::run_encode(const Buffers &buffers, const uint8_t *const *data,
                      uint8_t *const *parity) const
{
    const size_t len = buffers.length();
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
    int status;
    {
        Unlocked unlocked(bytes);
        status = pxr_reconstruct(code_, len, have, want);
    }
    if (status != PXR_OK)
        raise_status(status);
}

/* Which shards are to be made: those of `want`, or all that are lost. */
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
            raise_invalid("shard %u is wanted twice", shard);
        if (!shards[shard].is_none())
            raise_invalid("shard %u is wanted, and it is there", shard);
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
            raise_invalid("shard %u is wanted, and it is there", i);
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
    int status;
    {
        Unlocked unlocked(buffers.bytes());
        status = pxr_update(code_, buffers.length(), shard, before, after, outputs);
    }
    if (status != PXR_OK)
        raise_status(status);
}

/* ----------------------------------------------------------- checking -- */

/* Parity shards may be left out. */
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
        raise_invalid("a code of one parity shard does not tell which shard is wrong");
    Buffers buffers;
    const uint8_t *addresses[most];
    for (unsigned i = 0; i < n(); i++)
        addresses[i] = buffers.read(items[i]);
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
    "An erasure code of k data shards and m parity shards over GF(2^8), polynomial 0x11d.\n\n"
    "matrix: \"isal_cauchy\", \"isal_vand\", \"jerasure_van\", \"jerasure_r6\" or\n"
    "\"klauspost_vand\": the program whose bytes it gives.  rows: the m * k bytes of a\n"
    "matrix of your own, row by row, in place of a name; they are tested for being MDS\n"
    "unless assume_mds.\n\n"
    "Shards are numbered 0..k-1 for data and k..k+m-1 for parity.  A shard is anything\n"
    "with the buffer protocol, contiguous; those of one call have one length, any.\n"
    "Nothing is copied, and buffers that are written overlap no other.  A code is\n"
    "immutable: any number of threads may use it; the interpreter's lock is released\n"
    "while it works.  Nobody may change the buffers of a call meanwhile.\n\n"
    "Raises InvalidError for k, m < 1, k + m > 255, an unknown name or rows of another\n"
    "length, NotMDSError, and UnprovenError where rows are too many to be tested.\n"
    "Every method raises TypeError or BufferError for what is no such buffer and\n"
    "InvalidError (a ValueError) for wrong counts, unequal lengths and overlaps; nothing\n"
    "has been written then.";

void bind_code(nb::module_ &module)
{
    const nb::handle bytearray((PyObject *)&PyByteArray_Type);
    nb::class_<Code>(module, "Code", nb::is_final(), code_doc)
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, bool>(), nb::arg("k"),
             nb::arg("m"), nb::arg("matrix") = "isal_cauchy", nb::kw_only(),
             nb::arg("rows").none() = nb::none(), nb::arg("assume_mds") = false)
        .def_prop_ro("k", &Code::k, "The number of data shards.")
        .def_prop_ro("m", &Code::m, "The number of parity shards.")
        .def_prop_ro("n", &Code::n, "The number of all shards, k + m.")
        .def_prop_ro("matrix", &Code::matrix, "The name of the matrix; \"custom\" for rows.")
        .def_prop_ro("rows", &Code::rows, "The matrix: m bytes objects of length k.")
        .def("__repr__",
             [](const Code &code) {
                 return nb::str("permxor.Code({}, {}, '{}')")
                     .format(code.k(), code.m(), code.matrix());
             })
        .def("__getstate__", &Code::state)
        .def("__setstate__",
             [](Code *self, nb::tuple state) {
                 const Items items(state, "the state", 5);
                 const bool assume_mds = items[4].is(nb::handle(Py_True));
                 new (self) Code(items[0], items[1], items[2], items[3], assume_mds);
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
